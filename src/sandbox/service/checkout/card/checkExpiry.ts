import { problem } from '../../http/problem.ts'

/**
 * A card is good until the end of its month, UTC.
 *
 * @throws ServiceProblem `CARD_EXPIRED`
 */
export function checkExpiry(card: { expMonth: number; expYear: number }, now: number): void {
  // Months are counted from 0, so this is the first moment of the next one.
  if (now >= Date.UTC(card.expYear, card.expMonth))
    throw problem('CARD_EXPIRED', 'The card has expired.', { issues: ['expMonth', 'expYear'] })
}
