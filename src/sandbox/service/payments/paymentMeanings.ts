import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'

/** What a payment's state means (PROTOCOL.md 10.1). The card form's script includes this file. */
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
  /** It is paid or being paid. After a void, failure or expiry its purchase can be paid again. */
  isPaid: boolean
  /** It was settled, or never will be. */
  isDecided: boolean
  /** Its money is the merchant's, to withdraw or to refund. */
  earns: boolean
}
