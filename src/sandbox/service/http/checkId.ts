import { orderIdProblem } from '../../../redeemkit/core/orderId.ts'
import { problem } from './problem.ts'

/**
 * Checks the id of a merchant or of an order that no schema with messages has read. The error does not quote it: it may be a card's number
 * in the wrong place.
 *
 * @throws ServiceProblem, a 400 with the reason
 */
export function checkId(id: string, field: 'merchantId' | 'purchaseId'): void {
  const reason = orderIdProblem(id)
  if (reason !== undefined) throw problem('INVALID_REQUEST', `${field} ${reason}.`, { issues: [field] })
}
