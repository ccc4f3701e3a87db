import * as z from 'zod/mini'
import { currency } from './currency.ts'
import { oneOf } from './oneOf.ts'
import { double } from './values.ts'

/**
 * A fee line that the merchant adds (PROTOCOL.md 11.4): an amount in cents of a currency (variant A), or a
 * percentage (variant B). What is nullable may be `null` or absent.
 */
export const customPayInFee = z.strictObject({
  fee: oneOf(
    [
      z.strictObject({
        cents: double,
        currency,
        percent: z.nullish(double),
        isFixed: z.optional(z.boolean()),
      }),
      z.strictObject({
        cents: z.nullish(double),
        currency: z.nullish(currency),
        percent: double,
        isFixed: z.optional(z.boolean()),
      }),
    ],
    {
      pick: ({ cents, percent }) =>
        percent !== undefined && percent !== null && (cents ?? null) === null ? 1 : 0,
    },
  ),
  lineItemLabel: z.string(),
})
export type CustomPayInFee = z.infer<typeof customPayInFee>
