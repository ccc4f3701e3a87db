import type { CardBehaviour } from '../../../store/states.ts'
import type { ThreeDs } from './threeDs.ts'

/**
 * What a card's bank says.
 *
 * @param options.attended whether the customer is there, and can answer a challenge; false when a card on file is charged
 */
export function cardOutcome(
  behaviour: CardBehaviour,
  options: { attended: boolean; threeDs?: Pick<ThreeDs, 'isDone' | 'isWanted'> | undefined },
): CardOutcome {
  const { attended, threeDs: { isDone, isWanted } = { isDone: false, isWanted: false } } = options
  if (behaviour === 'declinedLater') return attended ? 'approved' : 'declined'
  if (behaviour === 'unknown') return 'notATestCard'
  if (behaviour !== 'challenge' && behaviour !== 'approved') return behaviour
  const isAsked = behaviour === 'challenge' || isWanted
  return isAsked && attended && !isDone ? 'challenge' : 'approved'
}

export type CardOutcome = 'approved' | 'challenge' | CardRefusal
export type CardRefusal = keyof typeof refusalWords

/** Why a card was not charged, in words; the names are the `reason` of the error's details. */
export const refusalWords = {
  declined: 'The card was declined.',
  insufficientFunds: 'The card was declined: insufficient funds.',
  fraud: 'The purchase was refused: it looks like fraud.',
  notATestCard: 'The card was declined: the sandbox takes the test numbers of PROTOCOL.md 10.3 only.',
  challengeFailed: 'The card was declined: the 3DS challenge was not passed.',
} as const
