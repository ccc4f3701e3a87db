import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'
import { currency } from './subtotal.ts'
import { double, filledText, wholeCents } from './values.ts'

/**
 * A fee that the merchant adds (PROTOCOL.md 11.4): an amount in cents of a currency (variant A), or a percentage (variant B). Variant B may
 * also have an amount in the subtotal's currency. Nullable fields may be `null` or absent.
 */
export const customPayInFee = z.strictObject({
  fee: oneOf(
    {
      amount: z.strictObject({
        cents: double,
        currency,
        percent: z.nullish(double),
        isFixed: z.optional(z.boolean()),
      }),
      share: z.strictObject({
        cents: z.nullish(double),
        currency: z.nullish(currency),
        percent: double,
        isFixed: z.optional(z.boolean()),
      }),
    },
    {
      pick: ({ cents, currency, percent }) =>
        (percent ?? null) !== null && ((cents ?? null) === null || (currency ?? null) === null)
          ? 'share'
          : 'amount',
    },
  ),
  lineItemLabel: z.string(),
})
export type CustomPayInFee = z.infer<typeof customPayInFee>

/** Whole cents. Default currency: the payment's. */
const line = z.strictObject({ cents: wholeCents, currency: z.optional(currency) })
const otherLine = z.optional(line)

/** The totals of a payment, line by line (PROTOCOL.md 11.21). `total` is the sum of the other lines. */
export const totals = z.strictObject({
  subtotal: line,
  /** The fees of the payment rail. Despite the name, every rail uses this field. */
  creditCardFees: line,
  chargebackProtectionFees: line,
  gasFees: line,
  fxFees: otherLine,
  networkFees: otherLine,
  /** The sum of `customPayInFees` in the request's body. */
  payInFees: otherLine,
  /** The sum of `feePercentage` and `fixedFee` in the request's body. */
  marketplaceFees: otherLine,
  rent: otherLine,
  total: line,
  /** The fee lines with labels for the customer. */
  lines: z.optional(z.array(z.strictObject({ label: filledText, cents: wholeCents }))),
})
export type Totals = z.infer<typeof totals>

/** Response of `POST /api/checkout/totals/{merchantId}` (PROTOCOL.md 2.11 and 11.21): the totals of each rail. */
export const totalsResponse = z.strictObject({
  card: z.optional(totals),
  wire: z.optional(totals),
  pix: z.optional(totals),
  mobileapp: z.optional(totals),
})
export type TotalsResponse = z.infer<typeof totalsResponse>
