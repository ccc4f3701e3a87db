import type { DatabaseWork } from '../../store/database.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'
import { closePayment } from './closePayment.ts'
import { outcomeOf, paysUsdc } from './outcomeOf.ts'

/**
 * Settles an authorized payment (PROTOCOL.md 10.2) whose money stays in the merchant's wallet at the service. One that does
 * something on a chain stays `authorized`, which is how it is due: `settleDue` does it.
 *
 * @returns the payment as it is afterwards
 */
export async function settlePayment(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  if (payment.status !== 'authorized' || payment.authOnly) return payment
  const { kind, amount } = outcomeOf(payment)
  const onChain = kind !== 'wallet' || paysUsdc(payment)
  if (onChain && amount > 0n) return payment
  return closePayment(work, { payment, at: new Date(service.now()) })
}
