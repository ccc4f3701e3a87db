import type { CardCheckoutResponse } from '../../../../redeemkit/schema/checkout.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'

/** The answer of a purchase by card. `hash` comes once what the payment carried is on the chain. */
export function cardAnswer({ paymentId, status, hash }: PaymentRow): CardCheckoutResponse {
  return { paymentId, status, ...(hash !== null && { hash }) }
}
