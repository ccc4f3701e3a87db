import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { PaymentRow } from './paymentRow.ts'

/**
 * Refuses an order whose time has passed, also where nothing has moved it yet.
 *
 * @throws ServiceProblem `PAYMENT_STATE`
 */
export function checkOpen(service: Pick<Service, 'now'>, { paymentId, status, expiresAt }: PaymentRow): void {
  const hasPassed = status === 'created' && expiresAt !== null && expiresAt.getTime() <= service.now()
  if (hasPassed)
    throw problem('PAYMENT_STATE', 'The order has expired. Ask for a new one.', {
      details: { paymentId, status: 'expired' },
    })
}
