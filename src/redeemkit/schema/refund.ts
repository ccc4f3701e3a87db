import * as z from 'zod/mini'
import { dateTimeText } from './dates.ts'
import { mintResponse } from './mint.ts'
import { openEnum } from './openEnum.ts'
import { cents, currencyCents } from './subtotal.ts'
import { anyAddress, filledText } from './values.ts'

const reasons = ['userCancellation', 'failedFulfillment', 'buyerFraud', 'other'] as const

/** Body of `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11): all of it, or a part. */
export const refundBody = z.strictObject({
  refundReason: z.optional(z.enum(reasons)),
  /** Cents of the payment's currency; all that is left when absent. */
  partialAmount: z.optional(cents),
  /** Where a payment in tokens goes back to. */
  destinationWallet: z.optional(anyAddress),
  /** The same key never refunds twice. */
  idempotencyKey: z.optional(filledText),
})
export type RefundBody = z.infer<typeof refundBody>

/** A refund (PROTOCOL.md 11.22). */
export const refund = z.strictObject({
  id: told(filledText),
  paymentId: told(filledText),
  amount: told(currencyCents),
  status: told(openEnum(['pending', 'completed', 'failed'])),
  refundReason: z.optional(openEnum(reasons)),
  error: z.optional(z.string()),
  createdAt: told(dateTimeText),
})
export type Refund = z.infer<typeof refund>

/** Answer of `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11 and 11.22). */
export const refundResponse = z.strictObject({
  ...refund.shape,
  /** Of services that refund by a job. */
  jobId: z.optional(mintResponse.shape.jobId),
})
export type RefundResponse = z.infer<typeof refundResponse>

/** A must for our service. Others tell it otherwise, or not at all. */
// @__NO_SIDE_EFFECTS__
function told<schema extends z.core.$ZodType>(schema: schema) {
  return z.nonoptional(z.optional(schema), 'expected this field')
}
