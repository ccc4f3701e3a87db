import * as z from 'zod/mini'
import { openEnum } from './loose.ts'
import { paymentRails, readStatus } from './payment.ts'
import { cents, currencyCents } from './subtotal.ts'
import { dateTimeText, filledText } from './values.ts'

/** Response of `GET /api/customer/balances/{merchantIdOrCreditSeed}` (PROTOCOL.md 2.5). Balances are in US cents. */
export const balancesResponse = z.strictObject({ credits: cents, usdc: cents })
export type BalancesResponse = z.infer<typeof balancesResponse>

/** A purchase, as the customer sees it (PROTOCOL.md 11.22). */
export const purchase = z.strictObject({
  paymentId: filledText,
  status: readStatus,
  rail: openEnum(paymentRails),
  subtotal: currencyCents,
  /** The total, including fees. */
  total: currencyCents,
  refunded: z.optional(currencyCents),
  subscriptionId: z.optional(z.string()),
  hash: z.optional(z.string()),
  createdAt: dateTimeText,
})
export type Purchase = z.infer<typeof purchase>

/** Query of `GET /api/customer/purchases/{merchantId}` (PROTOCOL.md 2.11). */
export const purchasesQuery = z.strictObject({
  /** Maximum number of purchases, as decimal text: 1 to 100. Default 20. */
  limit: z.optional(
    z
      .string('expected text: a number from 1 to 100')
      .check(z.regex(/^(?:[1-9]\d?|100)$/, 'expected a number from 1 to 100')),
  ),
  /** `next` of the previous page. */
  after: z.optional(filledText),
})
export type PurchasesQuery = z.infer<typeof purchasesQuery>

/** Response of `GET /api/customer/purchases/{merchantId}` (PROTOCOL.md 2.11), newest first. */
export const purchasesResponse = z.strictObject({
  purchases: z.array(purchase),
  /** Pass it as `after` for the next page. Absent on the last page. */
  next: z.optional(filledText),
})
export type PurchasesResponse = z.infer<typeof purchasesResponse>
