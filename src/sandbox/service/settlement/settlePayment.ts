import type { DatabaseWork } from '../../store/database.ts'
import { movePayment } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'

/**
 * Settles an authorized payment (PROTOCOL.md 10.2): one that carries nothing at once. One that carries something stays
 * `authorized`, which is how it is due: what it carries takes transactions.
 *
 * @returns the payment as it is afterwards
 */
export async function settlePayment(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  const carriesNothing = Object.values(payment.carried).every((part) => part === undefined)
  if (payment.status !== 'authorized' || payment.authOnly || !carriesNothing) return payment
  return movePayment(work, {
    paymentId: payment.paymentId,
    to: 'settled',
    at: new Date(service.now()),
  })
}
