import type { CardCheckoutBody } from '../../../../redeemkit/schema/checkout.ts'
import { problem } from '../../http/problem.ts'
import type { CardRow } from './chargeCard.ts'

/**
 * A body may say when the card expires; then it says what the token's card does.
 *
 * @throws ServiceProblem, 400
 */
export function checkSameExpiry({ expMonth, expYear }: CardCheckoutBody['card'], card: CardRow): void {
  const isMonth = expMonth === undefined || Number(expMonth) === card.expMonth
  const isYear = expYear === undefined || Number(expYear) % 100 === card.expYear % 100
  if (!isMonth || !isYear)
    throw problem('INVALID_REQUEST', 'The card of this token expires at another time.', {
      issues: [isMonth ? 'card.expYear' : 'card.expMonth'],
    })
}
