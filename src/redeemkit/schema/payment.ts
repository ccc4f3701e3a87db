import * as z from 'zod/mini'
import { customerInfo } from './customerInfo.ts'
import { openEnum } from './loose.ts'
import { oneOf } from './oneOf.ts'
import { currencyCents, subtotal } from './subtotal.ts'
import { totals } from './totals.ts'
import { anyAddress, blockchain, dateTimeText, filledText, freeObject } from './values.ts'

/** The states of a payment (PROTOCOL.md 10.1). */
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

/** The payment rails (PROTOCOL.md 11.11). */
export const paymentRails = ['card', 'wire', 'pix', 'mobileapp'] as const
export type PaymentRail = (typeof paymentRails)[number]

/** Other services may use further values. */
export const readStatus = openEnum(paymentStatus.options)

const text = z.optional(z.string())
const instant = z.optional(dateTimeText)

/** A payment record (PROTOCOL.md 11.11), as the merchant sees it. */
export const payment = z.strictObject({
  paymentId: filledText,
  status: z.optional(readStatus),
  merchantId: text,
  /** The merchant's own id for the customer. */
  userId: text,
  wallet: z.optional(anyAddress),
  blockchain: z.optional(blockchain),
  /** The device id that the checkout's request had (`x-device-id`). */
  deviceId: text,
  rail: z.optional(openEnum(paymentRails)),
  subtotal: z.optional(currencyCents),
  totals: z.optional(totals),
  /** The amount refunded so far. */
  refunded: z.optional(currencyCents),
  settlementType: z.optional(openEnum(['Credits', 'USDC', 'Bank'])),
  authOnly: z.optional(z.boolean()),
  email: text,
  customerInfo: z.optional(customerInfo),
  /** The `webhookInfo` of the checkout's body. */
  webhookInfo: z.optional(freeObject),
  /** The card's token and last four digits. */
  card: z.optional(z.strictObject({ token: filledText, lastFour: text })),
  subscriptionId: text,
  /** Hash of the transaction that the payment executed. */
  hash: text,
  /** Why the payment or its transaction failed. */
  error: text,
  /** All status changes, oldest first. */
  history: z.optional(
    z.array(
      z.strictObject({
        from: z.optional(readStatus),
        to: readStatus,
        at: dateTimeText,
        reason: text,
      }),
    ),
  ),
  expiresAt: instant,
  createdAt: instant,
  updatedAt: instant,
})
export type Payment = z.infer<typeof payment>

/**
 * Body of `POST /api/checkout/merchant-initiated-transaction` (PROTOCOL.md 2.6): charges the next payment of a subscription. With the user
 * id, as other services use it, charges the card of an earlier payment.
 */
export const merchantInitiatedTransactionBody = oneOf(
  {
    bySubscription: z.strictObject({ subscriptionId: filledText }),
    byPayment: z.strictObject({
      originalPaymentId: filledText,
      subtotal,
      webhookInfo: z.optional(freeObject),
    }),
  },
  {
    pick: ({ originalPaymentId }) => (originalPaymentId === undefined ? 'bySubscription' : 'byPayment'),
  },
)
export type MerchantInitiatedTransactionBody = z.infer<typeof merchantInitiatedTransactionBody>

/** Response of `POST /api/checkout/merchant-initiated-transaction` (PROTOCOL.md 2.6). */
export const merchantInitiatedTransactionResponse = z.strictObject({ paymentId: filledText })
export type MerchantInitiatedTransactionResponse = z.infer<typeof merchantInitiatedTransactionResponse>
