import type { Address, Hex } from 'viem'
import { utf8Text } from '../../core/attempt.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import {
  type InvalidAddressError,
  type InvalidRecordError,
  InvalidSignatureError,
} from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { curveOrder } from '../../evm/signature/normalizeSignature.ts'
import {
  checkHex,
  checkRecord,
  checkText,
  type InvalidHexError,
  type InvalidTextError,
  isHex,
} from '../../evm/values.ts'
import {
  size as bytesIn,
  concatHex,
  getAddress,
  hexToBytes,
  keccak256,
  numberToHex,
  slice,
  stringToHex,
} from '../../evm/viem.ts'

/** A plain Ethereum signature: 65 bytes `r ‖ s ‖ v` without a type byte. */
type TempoSecp256k1Signature = { type: 'secp256k1'; r: Hex; s: Hex; v: 27 | 28 }

/** `0x01 ‖ r ‖ s ‖ x ‖ y ‖ prehash`: a P-256 key signed the digest, or the SHA-256 of the digest if `prehash` is set. */
export type TempoP256Signature = { type: 'p256'; r: Hex; s: Hex; x: Hex; y: Hex; prehash: boolean }

/** `0x02 ‖ authenticatorData ‖ clientDataJSON ‖ r ‖ s ‖ x ‖ y`: a passkey's assertion with the digest as its challenge. */
export type TempoWebAuthnSignature = {
  type: 'webAuthn'
  r: Hex
  s: Hex
  x: Hex
  y: Hex
  /** Exactly 37 bytes: SHA-256 of the relying party id, flags and counter. */
  authenticatorData: Hex
  /** The text exactly as the browser wrote it, because the passkey signs these bytes. */
  clientDataJSON: string
}

/** A signature by a single key. */
export type TempoPrimitiveSignature = TempoSecp256k1Signature | TempoP256Signature | TempoWebAuthnSignature

/** `0x04 ‖ account ‖ inner`: an access key signed `keccak256(0x04 ‖ digest ‖ account)` for an account. */
type TempoKeychainSignature = {
  type: 'keychain'
  version: 2
  /** The account that the signature claims to act for: `userAddress` in Tempo's documents. */
  account: Address
  inner: TempoPrimitiveSignature
}

export type TempoSignature = TempoPrimitiveSignature | TempoKeychainSignature

/** Order of P-256 (FIPS 186-5). */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Returns the account of a P-256 public key, whose coordinates have 32 bytes each (Tempo Transactions, "Address derivation"). */
export function p256Address(key: { x: Hex; y: Hex }): Address {
  return getAddress(slice(keccak256(concatHex([key.x, key.y])), 12))
}

/**
 * Returns the digest that an access key signs in place of `digest`: `keccak256(0x04 ‖ digest ‖ account)`. Because it contains the
 * account, the signature is invalid for any other account with the same access key.
 *
 * @param options.digest 32 bytes: the digest that the account itself would sign
 * @param options.account the account that the access key acts for
 * @throws {@link InvalidHexError}, {@link InvalidAddressError}
 * @see Tempo Transactions, "Keychain V2"
 * @example
 * ```ts
 * import { keychainDigest } from 'redeemkit/tempo'
 * keychainDigest({
 *   digest: '0x3caf17f85e96e489a081eab08cdc14794d8725d4356ef252fc98de3c65e03225',
 *   account: '0x480F8659821A7a5f6209cDA338A53E9Dea09DB46',
 * })
 * ```
 */
export function keychainDigest(options: keychainDigest.Options): Hex {
  checkOptions(options, { digest: 'any', account: 'any' })
  const digest = checkHex(options.digest, 'digest', { bytes: 32 })
  const account = checkAddress(options.account, 'account')
  return keccak256(`0x04${digest.slice(2)}${account.slice(2)}`)
}

export declare namespace keychainDigest {
  type Options = { digest: Hex; account: Address }
  type ErrorType = checkOptions.ErrorType | InvalidAddressError | InvalidHexError
}

/** Maximum size in bytes of a WebAuthn signature on Tempo, including the type byte. */
const maxWebAuthnSize = 2049
const authenticatorDataSize = 37
const shortestClientData = 32

/**
 * Parses the bytes of a Tempo signature. Accepts only one encoding of each signature, so
 * `serializeTempoSignature(parseTempoSignature(x))` is `x`.
 *
 * Like the chain, it refuses a high `s`, an `r` or `s` out of range, a wrong size, an unknown type, a keychain signature inside another,
 * and attested credential data or extensions. Unlike the chain, it also refuses a `v` other than 27 or 28, a `prehash` byte other than 0
 * or 1, and Keychain V1 (type 0x03), whose digest does not contain the account.
 *
 * @param signature hex bytes. 65 bytes are a secp256k1 signature; in any other signature, the first byte is the type
 * @throws {@link InvalidSignatureError} with the reason. The message never contains the signature
 * @see Tempo Transactions, "Signature types"; TIP-1020, "Signature encoding"
 * @example
 * ```ts
 * import { parseTempoSignature } from 'redeemkit/tempo'
 *
 * const signature = parseTempoSignature(`0x04${'48'.repeat(20)}${'11'.repeat(64)}1b`)
 * if (signature.type === 'keychain') signature.account // '0x4848484848484848484848484848484848484848'
 * ```
 */
export function parseTempoSignature(signature: Hex): TempoSignature {
  if (!isHex(signature)) throw malformed(`${showValue(signature, 12)} is not hex bytes.`)
  const text = signature.toLowerCase() as Hex // `toLowerCase` keeps the 0x prefix
  if (bytesIn(text) === 65 || byteAt(text, 0) !== 4) return parsePrimitive(text)

  if (bytesIn(text) < 22) throw malformed('The Keychain V2 signature ends before its inner signature.')
  const inner = slice(text, 21)
  if (bytesIn(inner) !== 65 && byteAt(inner, 0) > 2)
    throw malformed('The inner signature of a Keychain V2 signature must come from a single key.')
  return {
    type: 'keychain',
    version: 2,
    account: checkAddress(slice(text, 1, 21), 'signature'),
    inner: parsePrimitive(inner),
  }
}

export declare namespace parseTempoSignature {
  type ErrorType = InvalidSignatureError | InvalidAddressError
}

function parsePrimitive(text: Hex): TempoPrimitiveSignature {
  const size = bytesIn(text)
  if (size === 0) throw malformed('The signature is empty.')
  if (size === 65) {
    const v = byteAt(text, 64)
    if (v !== 27 && v !== 28) throw malformed(`Recovery byte ${v} is neither 27 nor 28.`)
    return { type: 'secp256k1', ...scalars(text, 0, curveOrder), v }
  }
  switch (byteAt(text, 0)) {
    case 1: {
      if (size !== 130) throw malformed(`A P-256 signature has 130 bytes, not ${size}.`)
      const prehash = byteAt(text, 129)
      if (prehash > 1) throw malformed(`Prehash byte ${prehash} is neither 0 nor 1.`)
      return { type: 'p256', ...scalars(text, 1, p256Order), ...point(text, 65), prehash: prehash === 1 }
    }
    case 2:
      return parseWebAuthn(text, size)
    case 3:
      throw malformed('Keychain V1 (type 0x03) does not commit to the account. Sign with Keychain V2 (0x04).')
    case 5:
      throw malformed('A native multisig (type 0x05) is not supported.')
    default:
      throw malformed(`Type byte 0x${text.slice(2, 4)} with ${size} bytes is not a Tempo signature.`)
  }
}

function parseWebAuthn(text: Hex, size: number): TempoWebAuthnSignature {
  const least = 1 + authenticatorDataSize + shortestClientData + 128
  if (size < least || size > maxWebAuthnSize)
    throw malformed(`A WebAuthn signature has ${least} to ${maxWebAuthnSize} bytes, not ${size}.`)
  const authenticatorData = slice(text, 1, 1 + authenticatorDataSize)
  const flags = byteAt(authenticatorData, 32)
  if ((flags & 0x40) !== 0)
    throw malformed('The authenticator data contains attested credential data (flag AT).')
  if ((flags & 0x80) !== 0) throw malformed('The authenticator data contains extensions (flag ED).')
  const clientDataJSON = utf8Text(hexToBytes(slice(text, 1 + authenticatorDataSize, size - 128)))
  if (clientDataJSON === undefined) throw malformed('The client data is not UTF-8.')
  return {
    type: 'webAuthn',
    ...scalars(text, size - 128, p256Order),
    ...point(text, size - 64),
    authenticatorData,
    clientDataJSON,
  }
}

function scalars(text: Hex, offset: number, order: bigint): { r: Hex; s: Hex } {
  const r = slice(text, offset, offset + 32)
  const s = slice(text, offset + 32, offset + 64)
  if (BigInt(r) === 0n || BigInt(r) >= order) throw malformed('r is out of range.')
  if (BigInt(s) === 0n || BigInt(s) >= order) throw malformed('s is out of range.')
  if (BigInt(s) > order / 2n) throw malformed('s is in the upper half of its range (high s).')
  return { r, s }
}

function point(text: Hex, offset: number): { x: Hex; y: Hex } {
  return { x: slice(text, offset, offset + 32), y: slice(text, offset + 32, offset + 64) }
}

function byteAt(text: Hex, index: number): number {
  return Number.parseInt(text.slice(2 + 2 * index, 4 + 2 * index), 16)
}

function malformed(message: string): InvalidSignatureError {
  return new InvalidSignatureError(message, {
    field: 'signature',
    fix: 'Pass the wallet’s bytes unchanged. If they are wrong, ask the wallet to sign again.',
    source: 'Tempo Transactions, "Signature types"',
  })
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
