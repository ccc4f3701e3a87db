import { base64 } from '@scure/base'
import { InvalidAddressError, InvalidBase64Error, InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { extractBaseAddress, StrKey } from './sdk.ts'

/** Casts bytes to `Buffer`, which the SDK's types require; its code accepts any bytes, and browsers have no `Buffer`. */
export function asBuffer(bytes: Uint8Array): Buffer {
  // Sound for `hash`, `Keypair.sign` and `Keypair.verify`, which copy the bytes themselves.
  return bytes as Buffer
}

/** Writes bytes as padded base64. */
export const formatBase64 = (bytes: Uint8Array): string => base64.encode(bytes)

/**
 * Parses canonical padded base64. The decoders of the platform and the SDK skip unknown characters and accept truncated text.
 *
 * @throws `InvalidBase64Error`
 */
export function parseBase64(text: string, field: string): Uint8Array {
  try {
    if (text !== '') return base64.decode(text)
  } catch {
    // The error below says more.
  }
  throw new InvalidBase64Error(`${showValue(text)} is not canonical base64 (RFC 4648).`, {
    field,
    fix: 'Pass the whole text with its padding; it may be cut off.',
  })
}

/**
 * Checks an optional non-negative integer. Text must not pass: JavaScript would append it instead of adding it, and a limit would be lost.
 *
 * @throws `InvalidOptionError`
 */
export function checkCount(value: number | undefined, field: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass a non-negative integer, or omit it.',
  })
}

/**
 * An amount of stroops, or none. 1 XLM is `10_000_000n`.
 *
 * @throws `InvalidOptionError`
 */
export function checkStroops(value: bigint | undefined, field: string): bigint | undefined {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass stroops as a bigint, or omit it: 1 XLM is 10_000_000n.',
  })
}

/**
 * The address of a key-held account, `G…`.
 *
 * @throws `InvalidAddressError`
 */
export function checkAddress(address: unknown, field: string): string {
  if (typeof address === 'string' && StrKey.isValidEd25519PublicKey(address)) return address
  throw new InvalidAddressError(`${showValue(address, 60)} is not the address of a Stellar account.`, {
    field,
    fix: 'Use the 56 characters that begin with G, without changing their case.',
    source: 'SEP-23',
  })
}

/** The account that signs for an address: an `M…` is a number in a `G…` (SEP-23). */
export function baseAddress(address: string): string {
  return StrKey.isValidMed25519PublicKey(address) ? extractBaseAddress(address) : address
}
