import * as z from 'zod/mini'
import { blockchains } from '../core/blockchains.ts'
import { orderIdProblem } from '../core/orderId.ts'
import {
  addressFormat,
  anyAddressFormat,
  bytes32Format,
  decimalFormat,
  filledTextFormat,
  hexDataFormat,
  orderKeyFormat,
  type Pattern,
  safeUintFormat,
  uintFormat,
  wholeCentsFormat,
} from './formats.ts'

/** A schema that returns the value unchanged. As an interface, it keeps TypeScript declarations short. */
export interface SchemaOf<value> extends z.ZodMiniType<value, value> {}

/** `0x…` text, compatible with viem's `Hex`. */
export type Hex = `0x${string}`

// @__NO_SIDE_EFFECTS__
function matching({ pattern, expected }: Pick<Pattern, 'pattern' | 'expected'>) {
  return z.string().check(z.regex(pattern, expected))
}

// @__NO_SIDE_EFFECTS__
function hexMatching(format: Pick<Pattern, 'pattern' | 'expected'>): SchemaOf<Hex> {
  // The pattern requires 0x, as the type does.
  return matching(format) as unknown as SchemaOf<Hex>
}

/** An EVM address in lower, upper or mixed case. `checkAddress` of `redeemkit/evm` verifies the EIP-55 checksum. */
export const evmAddress = hexMatching(addressFormat)

/** 32 bytes. */
export const bytes32 = hexMatching(bytes32Format)
/** The first 12 bytes of an intent-bound nonce (PROTOCOL.md 4). */
export const orderKey = hexMatching(orderKeyFormat)

/** A 4-byte function selector. */
export const selector = hexMatching({
  pattern: /^0x[0-9a-fA-F]{8}$/,
  expected: 'expected a selector: 0x and 8 hex digits',
})

/** Any number of bytes, or none. */
export const hexData = hexMatching(hexDataFormat)

/** An unsigned 256-bit integer as decimal text. */
export const uintText = z.string().check(z.refine(uintFormat.matches, uintFormat.expected))

/** Decimal or 0x-hex text, below 2^256. */
export const tokenId = z
  .string()
  .check(
    z.refine(
      (text) => uintFormat.matches(text) || /^0x[0-9a-fA-F]{1,64}$/.test(text),
      'expected a token id below 2^256, in decimal digits or as 0x and up to 64 hex digits',
    ),
  )

/** US cents or cents of the named currency, at most 2^53 - 1. */
export const wholeCents = z.int(wholeCentsFormat.expected).check(z.nonnegative(wholeCentsFormat.expected))

/** A whole number, at most 2^53 - 1. */
export const safeUint = z.int(safeUintFormat.expected).check(z.nonnegative(safeUintFormat.expected))

/** A finite number. */
export const double = z.number('expected a number')

export const filledText = z.string().check(z.minLength(1, filledTextFormat.expected))

/** 1 to 256 visible characters in Unicode NFC. Anyone who can guess an order's id can recognize the order on chain (PROTOCOL.md 10.8). */
export const orderIdText = z.string().check(({ value, issues }) => {
  const problem = orderIdProblem(value)
  if (problem !== undefined) issues.push({ code: 'custom', input: value, message: `it ${problem}` })
})

/** An address on any chain: printable ASCII without spaces, so that a header can contain it. */
export const anyAddress = matching(anyAddressFormat)

/** Without sign, exponent, separator or space, as in `parseAmount`. */
export const decimalText = matching(decimalFormat)

/** Country code (ISO 3166-1). */
export const country = z.string().check(z.regex(/^[A-Z]{2}$/, 'expected a country as two capital letters'))

/** Contents are not validated. */
export const freeObject = z.record(z.string(), z.unknown())

/** An empty object, for responses without content (PROTOCOL.md 11.20). */
export const emptyAnswer = z.strictObject({})

/** A blockchain's name (PROTOCOL.md 11.2). `user` stands for a customer without a chain. */
export const blockchain = z.enum(blockchains)
export type { Blockchain } from '../core/blockchains.ts'

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export const dateText = z.string().check(z.refine(isDate, 'expected a day that exists, as YYYY-MM-DD'))

export const dateOrYearText = z
  .string()
  .check(
    z.refine(
      (text) => isDate(text) || /^\d{4}$/.test(text),
      'expected a day as YYYY-MM-DD, or a year as YYYY',
    ),
  )

/** ISO 8601 with an offset: `2026-11-20T12:00:00Z`. */
export const dateTimeText = z
  .string()
  .check(
    z.refine(
      (text) =>
        /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) &&
        isDate(text.slice(0, 10)) &&
        !Number.isNaN(Date.parse(text)),
      'expected an instant in ISO 8601, such as 2026-11-20T12:00:00Z',
    ),
  )
