import type { Address, Hex } from 'viem'
import type { BaseError } from '../../core/errors/baseError.ts'
import {
  type InvalidAddressError,
  type InvalidRecordError,
  InvalidSignatureError,
} from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import {
  checkHex,
  checkRecord,
  checkText,
  type InvalidHexError,
  type InvalidTextError,
} from '../../evm/values.ts'
import { concatHex, numberToHex, stringToHex } from '../../evm/viem.ts'
import { type ClientData, parseClientData } from './clientData.ts'
import { parseTempoSignature } from './parseTempoSignature.ts'
import { p256Address, type TempoPrimitiveSignature, type TempoSignature } from './tempoSignature.ts'

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

/**
 * Encodes a Tempo signature. The inverse of `parseTempoSignature`, with which it checks its result.
 *
 * @returns 65 bytes for secp256k1; a type byte and the fields for any other kind
 * @throws {@link InvalidSignatureError} for a field out of range; {@link InvalidHexError}, {@link InvalidAddressError},
 * {@link InvalidTextError}, {@link InvalidRecordError} for a field that is missing or of the wrong type
 * @example
 * ```ts
 * import { parseTempoSignature, serializeTempoSignature } from 'redeemkit/tempo'
 * serializeTempoSignature(parseTempoSignature(`0x${'11'.repeat(64)}1b`)) // the same bytes
 * ```
 */
export function serializeTempoSignature(signature: TempoSignature): Hex {
  const bytes = write(signature)
  parseTempoSignature(bytes)
  return bytes
}

export declare namespace serializeTempoSignature {
  type ErrorType = parseTempoSignature.ErrorType | InvalidHexError | InvalidRecordError | InvalidTextError
}

function write(signature: TempoSignature): Hex {
  checkRecord(signature, 'signature')
  const { type } = signature
  if (type === 'keychain') {
    const account = checkAddress(signature.account, 'signature.account')
    return low(concatHex(['0x04', account, write(signature.inner)]))
  }
  const r = word(signature.r, 'r')
  const s = word(signature.s, 's')
  if (type === 'secp256k1') {
    if (signature.v !== 27 && signature.v !== 28) throw invalid('v', signature.v)
    return low(concatHex([r, s, numberToHex(signature.v, { size: 1 })]))
  }
  if (type !== 'p256' && type !== 'webAuthn') throw invalid('type', type)
  const x = word(signature.x, 'x')
  const y = word(signature.y, 'y')
  if (type === 'p256') {
    if (typeof signature.prehash !== 'boolean') throw invalid('prehash', signature.prehash)
    return low(concatHex(['0x01', r, s, x, y, signature.prehash ? '0x01' : '0x00']))
  }
  const authenticatorData = checkHex(signature.authenticatorData, 'signature.authenticatorData')
  const clientData = stringToHex(checkText(signature.clientDataJSON, 'signature.clientDataJSON'))
  return low(concatHex(['0x02', authenticatorData, clientData, r, s, x, y]))
}

function word(value: Hex, name: string): Hex {
  return checkHex(value, `signature.${name}`, { bytes: 32 })
}

function low(hex: Hex): Hex {
  return hex.toLowerCase() as Hex // `toLowerCase` keeps the 0x prefix
}

function invalid(name: string, value: unknown): InvalidSignatureError {
  return new InvalidSignatureError(`${name} ${showValue(value)} is not part of a Tempo signature.`, {
    field: `signature.${name}`,
    fix: 'Pass the parts as parseTempoSignature returns them.',
    source: 'Tempo Transactions, "Signature types"',
  })
}
