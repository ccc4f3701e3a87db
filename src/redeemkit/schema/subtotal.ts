import * as z from 'zod/mini'
import { tokenAmountFormat } from './formats.ts'
import { oneOf } from './oneOf.ts'
import { anyAddress, decimalText, type SchemaOf, safeUint, wholeCents } from './values.ts'

/** Currency codes (PROTOCOL.md 11.1). */
// biome-ignore format: one code per line would be 156 lines
export const currencies = [
  'USD', 'AED', 'AFN', 'ALL', 'AMD', 'ANG', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN',
  'BHD', 'BIF', 'BMD', 'BND', 'BOB', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CHF', 'CLF', 'CLP',
  'CNY', 'COP', 'CRC', 'CUP', 'CVE', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EGP', 'ETB', 'EUR', 'FJD', 'GBP',
  'GEL', 'GHS', 'GMD', 'GNF', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'IRR',
  'ISK', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KHR', 'KMF', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR',
  'LRD', 'LSL', 'LYD', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR', 'MWK', 'MVR', 'MXN',
  'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR', 'PLN',
  'PYG', 'QAR', 'RON', 'RSD', 'RWF', 'SAR', 'SCR', 'SDG', 'SEK', 'SGD', 'SLE', 'SLL', 'SOS', 'SRD', 'STN',
  'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TND', 'TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'UYU',
  'UZS', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XOF', 'XPF', 'YER', 'ZAR', 'ZMW', 'ZWL', 'CDF', 'ERN', 'FKP',
  'KPW', 'RUB', 'SBD', 'SHP', 'SSP', 'VES',
] as const

// with `Extract`, TypeScript declarations show the name of the type, not every code
export type Currency = Extract<(typeof currencies)[number], string>

/** A currency code (PROTOCOL.md 11.1), upper case. */
export const currency: SchemaOf<Currency> = z.enum(currencies)

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
