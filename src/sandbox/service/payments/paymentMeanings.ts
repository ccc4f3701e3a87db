import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'

/** What each payment state means (PROTOCOL.md 10.1). The card form's script includes this file. */
export const paymentMeanings: Readonly<Record<PaymentStatus, PaymentMeaning>> = {
  created: { isPaid: false, isDecided: false, earns: false },
  authorized: { isPaid: true, isDecided: false, earns: false },
  settled: { isPaid: true, isDecided: true, earns: true },
  expired: { isPaid: false, isDecided: true, earns: false },
  voided: { isPaid: false, isDecided: true, earns: false },
  failed: { isPaid: false, isDecided: true, earns: false },
  disputed: { isPaid: true, isDecided: true, earns: false },
  won: { isPaid: true, isDecided: true, earns: true },
  lost: { isPaid: true, isDecided: true, earns: false },
}

export type PaymentMeaning = {
  /** Whether the payment is paid or being paid. After a void, failure or expiry, the purchase can be paid again. */
  isPaid: boolean
  /** Whether the payment was settled or never will be. */
  isDecided: boolean
  /** Whether the merchant owns the money, and can withdraw or refund it. */
  earns: boolean
}
