import * as z from 'zod/mini'
import { currency } from './currency.ts'
import { tokenAmountFormat } from './formats.ts'
import { oneOf } from './oneOf.ts'
import { anyAddress, decimalText, type SchemaOf, safeUint, wholeCents } from './values.ts'

/** Whole cents of a named currency (PROTOCOL.md 11.3). */
export const currencyCents = z.strictObject({ cents: wholeCents, currency })
export type CurrencyCents = z.infer<typeof currencyCents>

/** Whole US cents (PROTOCOL.md 11.3). */
export const cents = z.strictObject({ cents: wholeCents })
export type Cents = z.infer<typeof cents>

/** An amount of a token in whole tokens, not raw units, as decimal text or a number (PROTOCOL.md 11.3). */
export const tokenSubtotal = z.strictObject({
  /** Address of the token: the mint on Solana, the contract on EVM chains. */
  address: anyAddress,
  amount: z.union(
    [
      decimalText,
      z
        .number()
        .check(z.nonnegative(tokenAmountFormat.expected), z.lte(2 ** 53 - 1, tokenAmountFormat.expected)),
    ],
    { error: tokenAmountFormat.expected },
  ),
  decimals: z.optional(safeUint),
})
export type TokenSubtotal = z.infer<typeof tokenSubtotal>

/** A price (PROTOCOL.md 11.3): `{ cents, currency }`, `{ cents }` in US dollars, or `{ address, amount, decimals? }` in a token. */
export const subtotal: SchemaOf<Subtotal> = oneOf(
  { currencyCents, cents, tokenSubtotal },
  {
    pick: (value) =>
      value.address !== undefined || value.amount !== undefined
        ? 'tokenSubtotal'
        : value.currency === undefined
          ? 'cents'
          : 'currencyCents',
  },
)
export type Subtotal = CurrencyCents | Cents | TokenSubtotal

/** Whole US cents. The currency may be omitted (PROTOCOL.md 11.3). */
export const usdCents = z.strictObject({ cents: wholeCents, currency: z.optional(z.literal('USD')) })
export type UsdCents = z.infer<typeof usdCents>

/** The price of a redeem (PROTOCOL.md 6.1, 11.3): US cents, or the chain's USDC. */
export const redeemSubtotal = oneOf(
  { usdCents, tokenSubtotal },
  {
    pick: (value) =>
      value.address !== undefined || value.amount !== undefined ? 'tokenSubtotal' : 'usdCents',
  },
)
export type RedeemSubtotal = z.infer<typeof redeemSubtotal>
