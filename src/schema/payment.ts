import * as z from 'zod/mini'
import { filledText } from './values.ts'

/** States of a payment (decisions, section 10). */
export const paymentStatus = z.enum([
  'created',
  'authorized',
  'settled',
  'expired',
  'voided',
  'failed',
  'disputed',
  'won',
  'lost',
])
export type PaymentStatus = z.infer<typeof paymentStatus>

/** A payment record: only its identifier is documented (document 1, section 2.11); read it with `loose`. */
export const payment = z.strictObject({ paymentId: filledText, status: z.optional(paymentStatus) })
export type Payment = z.infer<typeof payment>

/** Body of `POST /api/checkout/merchant-initiated-transaction` (decisions, section 2). */
export const merchantInitiatedTransactionBody = z.strictObject({ subscriptionId: filledText })
export type MerchantInitiatedTransactionBody = z.infer<typeof merchantInitiatedTransactionBody>

/** Answer of `POST /api/checkout/merchant-initiated-transaction`. */
export const merchantInitiatedTransactionResponse = z.strictObject({ paymentId: filledText })
export type MerchantInitiatedTransactionResponse = z.infer<typeof merchantInitiatedTransactionResponse>
