/** A rule for a string or number that needs no schema library. */
export type Format<value> = { matches: (value: value) => boolean; expected: string }

/** JSON Schema can contain the regular expression. */
export type Pattern = Format<string> & { pattern: RegExp }

// @__NO_SIDE_EFFECTS__
function like(pattern: RegExp, expected: string): Pattern {
  return { pattern, matches: (text) => pattern.test(text), expected }
}

export const filledTextFormat: Format<string> = {
  matches: (text) => text !== '',
  expected: 'expected text that is not empty',
}

export const addressFormat = like(/^0x[0-9a-fA-F]{40}$/, 'expected an address: 0x and 40 hex digits')

export const bytes32Format = like(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes: 0x and 64 hex digits')

export const orderKeyFormat = like(
  /^0x[89a-fA-F][0-9a-fA-F]{23}$/,
  'expected an order key: 0x and 24 hex digits, the highest bit set',
)

export const hexDataFormat = like(
  /^0x(?:[0-9a-fA-F]{2})*$/,
  'expected bytes: 0x and an even number of hex digits',
)

export const anyAddressFormat = like(
  /^[\x21-\x7e]{1,256}$/,
  'expected an address: 1 to 256 printable characters, no blanks',
)

export const decimalFormat = like(
  /^(?=.{1,120}$)(?:0|[1-9]\d*)(?:\.\d+)?$/,
  'expected a plain decimal such as "10.25"',
)

export const uintFormat: Format<string> = {
  matches: isUintText,
  expected: 'expected a whole number in decimal digits, below 2^256',
}

export const wholeCentsFormat: Format<number> = {
  matches: isSafeUint,
  expected: 'expected whole cents between 0 and 2^53 - 1',
}

export const safeUintFormat: Format<number> = {
  matches: isSafeUint,
  expected: 'expected a whole number between 0 and 2^53 - 1',
}

export const byteFormat: Format<number> = {
  matches: (value) => Number.isInteger(value) && value >= 0 && value <= 255,
  expected: 'expected a whole number from 0 to 255',
}

export const unixTimeFormat: Format<number> = {
  matches: isSafeUint,
  expected: 'expected unix seconds: decimal digits, or a whole number',
}

export const tokenAmountFormat: Format<number> = {
  matches: (amount) => amount >= 0 && amount <= Number.MAX_SAFE_INTEGER,
  expected: 'expected a number of tokens: plain decimal text, or a number between 0 and 2^53 - 1',
}

export const oneVersionExpected = 'expected only one of customerUsdcAuthData and customerUsdcAuthDataV2'

const uint256Digits = '115792089237316195423570985008687907853269984665640564039457584007913129639935'

/** 0 to 2^256 - 1 in decimal digits, without sign, leading zero or space. */
export function isUintText(text: string): boolean {
  return (
    /^(0|[1-9]\d{0,77})$/.test(text) &&
    // numbers with equally many digits can be compared as text
    (text.length < uint256Digits.length || text <= uint256Digits)
  )
}

function isSafeUint(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
