import type { Address, Hex } from 'viem'
import type { BaseError } from '../../core/errors/baseError.ts'
import { type ClientData, parseClientData } from './clientData.ts'
import { p256Address, parseTempoSignature, type TempoPrimitiveSignature } from './tempoSignature.ts'

/** The kind of a single key's signature, and the facts that can be read from it without a digest. */
export type TempoKeyClass =
  | { kind: 'secp256k1' }
  | { kind: 'p256'; signer: Address; prehash: boolean }
  | {
      kind: 'webAuthn'
      signer: Address
      /** SHA-256 of the relying party's id. */
      rpIdHash: Hex
      origin: string | undefined
      crossOrigin: boolean
      topOrigin: string | undefined
      userPresent: boolean
      userVerified: boolean
      /** Whether the passkey may be backed up (flag BE), and whether it is backed up now (flag BS). */
      backupEligible: boolean
      backedUp: boolean
    }

/** The kind of a signature. `unknown`, with the reason, if `parseTempoSignature` refuses the bytes. */
export type TempoSignatureClass =
  | TempoKeyClass
  | { kind: 'keychain'; account: Address; inner: TempoKeyClass }
  | { kind: 'unknown'; reason: string }

/**
 * Returns the kind of a Tempo signature and the accounts that it names, without verifying the signature. Never throws.
 *
 * The result is only a claim: `signer` is the address of the key in the bytes, `account` the account that an access key claims to act for.
 * To compare them with the expected wallet, use `checkTempoSignature`.
 *
 * @param signature hex bytes, e.g. `permitCredits`
 * @see Tempo Transactions, "Signature types"
 * @example
 * ```ts
 * import { classifyTempoSignature } from 'redeemkit/tempo'
 * classifyTempoSignature(`0x${'11'.repeat(64)}1b`) // { kind: 'secp256k1' }
 * ```
 */
export function classifyTempoSignature(signature: Hex): TempoSignatureClass {
  try {
    const parsed = parseTempoSignature(signature)
    if (parsed.type !== 'keychain') return classifyKey(parsed)
    return { kind: 'keychain', account: parsed.account, inner: classifyKey(parsed.inner) }
  } catch (error) {
    // the parsers throw only redeemkit errors
    return { kind: 'unknown', reason: (error as BaseError).shortMessage }
  }
}

function classifyKey(parsed: TempoPrimitiveSignature): TempoKeyClass {
  if (parsed.type === 'secp256k1') return { kind: 'secp256k1' }
  const signer = p256Address(parsed)
  if (parsed.type === 'p256') return { kind: 'p256', signer, prehash: parsed.prehash }
  const { origin, crossOrigin, topOrigin }: ClientData = parseClientData(parsed.clientDataJSON)
  const flags = Number.parseInt(parsed.authenticatorData.slice(66, 68), 16)
  return {
    kind: 'webAuthn',
    signer,
    rpIdHash: `0x${parsed.authenticatorData.slice(2, 66)}`,
    origin,
    crossOrigin,
    topOrigin,
    userPresent: (flags & 0x01) !== 0,
    userVerified: (flags & 0x04) !== 0,
    backupEligible: (flags & 0x08) !== 0,
    backedUp: (flags & 0x10) !== 0,
  }
}
