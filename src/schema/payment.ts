import * as z from 'zod/mini'
import { filledText } from './values.ts'

/** States of a payment (PROTOCOL.md 10.1). */
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

/** A payment record (PROTOCOL.md 11.11). Services send more than its identifier; read it with `loose`. */
export const payment = z.strictObject({ paymentId: filledText, status: z.optional(paymentStatus) })
export type Payment = z.infer<typeof payment>

/** Body of `POST /api/checkout/merchant-initiated-transaction` (PROTOCOL.md 2.6). */
export const merchantInitiatedTransactionBody = z.strictObject({ subscriptionId: filledText })
export type MerchantInitiatedTransactionBody = z.infer<typeof merchantInitiatedTransactionBody>

/** Answer of `POST /api/checkout/merchant-initiated-transaction` (PROTOCOL.md 2.6). */
export const merchantInitiatedTransactionResponse = z.strictObject({ paymentId: filledText })
export type MerchantInitiatedTransactionResponse = z.infer<typeof merchantInitiatedTransactionResponse>
