import type { Address, Hex } from 'viem'
import { p256Address } from './p256Address.ts'
import { type ClientData, parseClientData } from './parseClientData.ts'
import { parseTempoSignature } from './parseTempoSignature.ts'
import type { TempoPrimitiveSignature } from './tempoSignature.ts'

/** What kind of single key signed, and what can be said of it without the digest. */
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
      /** Whether the passkey may be copied to other devices (flag BE), and is now (flag BS). */
      backupEligible: boolean
      backedUp: boolean
    }

/** What kind of signature it is; `unknown` with the reason when Tempo would not take it, or not in this spelling. */
export type TempoSignatureClass =
  | TempoKeyClass
  | { kind: 'keychain'; account: Address; inner: TempoKeyClass }
  | { kind: 'unknown'; reason: string }

/**
 * Tells the four kinds of Tempo signatures apart and shows whom they name, without checking any of it. Never throws.
 *
 * What it shows is a claim: `signer` is the address of the key inside the bytes, `account` the one that an access key
 * says it acts for. `checkTempoSignature` holds them against the wallet that was expected.
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
    return { kind: 'unknown', reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : '' }
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
