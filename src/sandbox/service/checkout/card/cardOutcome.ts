import type { CardBehaviour } from '../../../store/states.ts'

/**
 * What a card's bank says.
 *
 * @param attended whether the customer is there, and can answer a challenge; false when a merchant charges a card on file
 */
export function cardOutcome(behaviour: CardBehaviour, attended: boolean): CardOutcome {
  if (behaviour === 'challenge') return attended ? 'challenge' : 'approved'
  if (behaviour === 'declinedLater') return attended ? 'approved' : 'declined'
  if (behaviour === 'unknown') return 'notATestCard'
  return behaviour
}

export type CardOutcome = 'approved' | 'challenge' | CardRefusal
export type CardRefusal = keyof typeof refusalWords

/** Why a card was not charged, in words; the names are the `reason` of the error's details. */
export const refusalWords = {
  declined: 'The card was declined.',
  insufficientFunds: 'The card was declined: insufficient funds.',
  fraud: 'The purchase was refused: it looks like fraud.',
  notATestCard: 'The card was declined: the sandbox takes its published test numbers only.',
  challengeFailed: 'The card was declined: the 3DS challenge was not passed.',
} as const
