import * as z from 'zod/mini'

/** `0x…` text. Hexadecimal records carry this type, so that they fit viem's without a cast. */
export type Hex = `0x${string}`

const uint256Digits = (2n ** 256n - 1n).toString()

/** Decimal digits without sign, leading zero or blank, at most 2^256 - 1. */
export function isUintText(text: string): boolean {
  return (
    /^(0|[1-9]\d{0,77})$/.test(text) &&
    // Of the same length, digits compare as text.
    (text.length < uint256Digits.length || text <= uint256Digits)
  )
}

// @__NO_SIDE_EFFECTS__
function matching(pattern: RegExp, expected: string) {
  return z.string().check(z.regex(pattern, expected))
}

// @__NO_SIDE_EFFECTS__
function hexMatching(pattern: RegExp, expected: string): z.ZodMiniType<Hex, Hex> {
  // The pattern begins with 0x, which is all that the narrower type says.
  return matching(pattern, expected) as unknown as z.ZodMiniType<Hex, Hex>
}

/** An EVM address, any letter case. The checksum is for those who know keccak-256: the EVM code. */
export const evmAddress = hexMatching(/^0x[0-9a-fA-F]{40}$/, 'expected an address: 0x and 40 hex digits')

/** 32 bytes. */
export const bytes32 = hexMatching(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes: 0x and 64 hex digits')

/** A 4-byte function selector. */
export const selector = hexMatching(/^0x[0-9a-fA-F]{8}$/, 'expected a selector: 0x and 8 hex digits')

/** Any whole number of bytes, none included. */
export const hexData = hexMatching(
  /^0x(?:[0-9a-fA-F]{2})*$/,
  'expected bytes: 0x and an even number of hex digits',
)

/** An unsigned 256-bit integer as decimal text. */
export const uintText = z
  .string()
  .check(z.refine(isUintText, 'expected a whole number in decimal digits, below 2^256'))

/** A token id: decimal or 0x-hex text, below 2^256. */
export const tokenId = z
  .string()
  .check(
    z.refine(
      (text) => isUintText(text) || /^0x[0-9a-fA-F]{1,64}$/.test(text),
      'expected a token id below 2^256, in decimal digits or as 0x and up to 64 hex digits',
    ),
  )

/** Whole, non-negative US cents (or cents of the named currency), at most 2^53 - 1. */
export const wholeCents = z
  .int('expected whole cents between 0 and 2^53 - 1')
  .check(z.nonnegative('expected whole cents between 0 and 2^53 - 1'))

/** A whole, non-negative JSON number, at most 2^53 - 1. */
export const safeUint = z
  .int('expected a whole number between 0 and 2^53 - 1')
  .check(z.nonnegative('expected a whole number between 0 and 2^53 - 1'))

/** A double: finite, never NaN. */
export const double = z.number('expected a number')

/** Text that is not empty. */
export const filledText = z.string().check(z.minLength(1, 'expected text that is not empty'))

/**
 * Name of an address or wallet on any chain: printable ASCII without blanks, so that it is fit for a header.
 */
export const anyAddress = matching(
  /^[\x21-\x7e]{1,256}$/,
  'expected an address: 1 to 256 printable characters, no blanks',
)

/** Decimal text as `parseAmount` takes it: no sign, exponent, separator or blank. */
export const decimalText = matching(
  /^(?=.{1,120}$)(?:0|[1-9]\d*)(?:\.\d+)?$/,
  'expected a plain decimal such as "10.25"',
)

/** Any object; what it holds is not looked at. */
export const freeObject = z.record(z.string(), z.unknown())

/** An empty object: what the service answers when there is nothing to say (PROTOCOL.md 11.20). */
export const emptyAnswer = z.strictObject({})
