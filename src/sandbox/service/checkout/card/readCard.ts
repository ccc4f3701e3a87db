import type { TokenizeBody } from '../../../../redeemkit/schema/cardToken.ts'
import type { CardBehaviour } from '../../../store/states.ts'
import { passesLuhn } from '../../http/passesLuhn.ts'
import { problem } from '../../http/problem.ts'
import { checkExpiry } from './checkExpiry.ts'
import { testCards } from './testCards.ts'

/**
 * What is kept of a card: everything but its number and its CVV. No error quotes either.
 *
 * @throws ServiceProblem `INVALID_CARD_NUMBER`, `CARD_EXPIRED`, `INVALID_CVV`
 */
export function readCard(body: TokenizeBody, now: number): CardFacts {
  const number = body.number.replace(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
    throw problem('INVALID_CARD_NUMBER', 'This is no card number: its length or its check digit is wrong.', {
      issues: ['number'],
    })
  const expiry = readExpiry(body)
  checkExpiry(expiry, now)
  const known = knownBehaviours.find((behaviour) => testCards[behaviour].number === number)
  const isCvv = known === undefined ? /^\d{3,4}$/.test(body.cvv) : body.cvv === testCards[known].cvv
  if (!isCvv)
    throw problem('INVALID_CVV', 'The CVV is not this card’s. The test cards have 123.', { issues: ['cvv'] })
  return {
    firstSix: number.slice(0, 6),
    lastFour: number.slice(-4),
    ...expiry,
    behaviour: known ?? 'unknown',
  }
}

export type CardFacts = {
  firstSix: string
  lastFour: string
  expMonth: number
  /** Four digits. */
  expYear: number
  behaviour: CardBehaviour
}

// The keys of the table, by its type.
const knownBehaviours = Object.keys(testCards) as (keyof typeof testCards)[]

function readExpiry({ expMonth, expYear }: { expMonth: string; expYear: string }) {
  const month = Number(expMonth)
  if (!/^\d{1,2}$/.test(expMonth) || month < 1 || month > 12)
    throw problem('INVALID_REQUEST', 'expMonth is a month, 1 to 12.', { issues: ['expMonth'] })
  if (!/^(?:\d{2}|20\d{2})$/.test(expYear))
    throw problem('INVALID_REQUEST', 'expYear is a year of two or four digits.', { issues: ['expYear'] })
  return { expMonth: month, expYear: expYear.length === 2 ? 2000 + Number(expYear) : Number(expYear) }
}
