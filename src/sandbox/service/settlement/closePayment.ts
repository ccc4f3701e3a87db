import type { Hex } from 'viem'
import type { DatabaseWork } from '../../store/database.ts'
import { proceeds } from '../../store/tables/index.ts'
import { movePayment } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import { outcomeOf } from './outcomeOf.ts'

/**
 * Settles a payment whose work is done: its state, its event, and the merchant's proceeds when the money stays in the merchant's
 * wallet at the service.
 *
 * @param options.hash the transaction that did it, when there was one
 */
export async function closePayment(
  work: DatabaseWork,
  options: { payment: PaymentRow; hash?: Hex | string | undefined; at: Date },
): Promise<PaymentRow> {
  const { payment, hash, at } = options
  const { paymentId, merchantId } = payment
  const outcome = outcomeOf(payment)
  if (outcome.kind === 'wallet' && outcome.amount > 0n)
    await work.insert(proceeds).values({ paymentId, merchantId, amount: outcome.amount, createdAt: at })
  return movePayment(work, {
    paymentId,
    to: 'settled',
    at,
    ...(hash === undefined ? {} : { change: { hash } }),
  })
}
