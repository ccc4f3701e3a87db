import { formatAmount } from '../core/amount.ts'
import { InvalidAddressError, InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showText, showValue } from '../core/errors/showValue.ts'
import { extractBaseAddress, StrKey } from './sdk.ts'

/** Casts bytes to `Buffer`, which the SDK's types require. The SDK's code accepts any bytes, and browsers have no `Buffer`. */
export function asBuffer(bytes: Uint8Array): Buffer {
  // Safe for `hash`, `Keypair.sign` and `Keypair.verify`, which copy the bytes themselves.
  return bytes as Buffer
}

/** Text is rejected: `+` would append text to a number, which defeats a limit. */
export function checkCount(value: number | undefined, field: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass a non-negative integer, or omit it.',
  })
}

/** Checks an optional amount of stroops: 1 XLM is `10_000_000n`. */
export function checkStroops(value: bigint | undefined, field: string): bigint | undefined {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass stroops as a bigint, or omit it: 1 XLM is 10_000_000n.',
  })
}

/** Accepts the address of an account that has a key, `G…`. */
export function checkAddress(address: unknown, field: string): string {
  if (typeof address === 'string' && StrKey.isValidEd25519PublicKey(address)) return address
  throw new InvalidAddressError(`${showValue(address, 60)} is not the address of a Stellar account.`, {
    field,
    fix: 'Use the 56 characters that begin with G, without changing their case.',
    source: 'SEP-23',
  })
}

/** Shows a function name unchanged, and quotes any other text as untrusted. */
export const showName = (name: string) => (/^\w+$/.test(name) ? name : showText(name))

export const hexOf = (bytes: Uint8Array) =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const amountText = (amount: bigint) => formatAmount(amount, { decimals: 7 })

/** Converts an amount from the SDK, decimal text with exactly 7 places, to raw units. */
export const stroopsOf = (amount: string) => BigInt(amount.replace('.', ''))

/** Returns the `G…` account of a muxed address (`M…`, SEP-23). Other addresses stay unchanged. */
export function baseAddress(address: string): string {
  return StrKey.isValidMed25519PublicKey(address) ? extractBaseAddress(address) : address
}
