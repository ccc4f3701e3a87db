import type { DatabaseWork } from '../../store/database.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { checkOpen } from './checkOpen.ts'
import { movePayment } from './movePayment.ts'
import type { PaymentRow } from './paymentRow.ts'

/**
 * The money of an order has arrived: it is authorized, and settles.
 *
 * @throws ServiceProblem `PAYMENT_STATE` for an order that has expired or was paid, and for a payment by card
 */
export async function payOrder(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  const { paymentId, rail, status } = payment
  if (rail === 'card')
    throw problem('PAYMENT_STATE', 'A payment by card is paid at its checkout.', {
      details: { paymentId, status },
    })
  checkOpen(service, payment)
  const at = new Date(service.now())
  return settlePayment(service, work, await movePayment(work, { paymentId, to: 'authorized', at }))
}
