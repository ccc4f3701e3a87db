import * as z from 'zod/mini'
import { dateTimeText } from './dates.ts'
import { openEnum } from './openEnum.ts'
import { cents, currencyCents } from './subtotal.ts'
import { filledText } from './values.ts'

const reasons = ['userCancellation', 'failedFulfillment', 'buyerFraud', 'other'] as const

/** Body of `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11): all of it, or a part. */
export const refundBody = z.strictObject({
  refundReason: z.optional(z.enum(reasons)),
  /** Cents of the payment's currency; all that is left when absent. */
  partialAmount: z.optional(cents),
  /** The same key never refunds twice. */
  idempotencyKey: z.optional(filledText),
})
export type RefundBody = z.infer<typeof refundBody>

/** A refund (PROTOCOL.md 11.22). */
export const refund = z.strictObject({
  id: filledText,
  paymentId: filledText,
  amount: currencyCents,
  status: openEnum(['pending', 'completed', 'failed']),
  refundReason: z.optional(openEnum(reasons)),
  error: z.optional(z.string()),
  createdAt: dateTimeText,
})
export type Refund = z.infer<typeof refund>
