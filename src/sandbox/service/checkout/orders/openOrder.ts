import { createPayment } from '../../payments/createPayment.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'
import { paymentWork } from '../../payments/paymentWork.ts'
import type { Service } from '../../service.ts'

/** Writes an order: a payment that the customer has five minutes to pay. */
export async function openOrder(
  service: Service,
  payment: createPayment.New,
): Promise<PaymentRow & { expiresAt: Date }> {
  const expiresAt = new Date(payment.at.getTime() + orderMs)
  const row = await paymentWork(service, (work) => createPayment(work, { ...payment, expiresAt }))
  return { ...row, expiresAt }
}

/** PROTOCOL.md 10.1. */
const orderMs = 5 * 60_000
