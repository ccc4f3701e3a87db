import type { DatabaseWork } from '../../../store/database.ts'
import type { cardTokens } from '../../../store/tables/index.ts'
import { createPayment } from '../../payments/createPayment.ts'
import { movePayment } from '../../payments/movePayment.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'
import { type CardRefusal, cardOutcome, refusalWords } from './cardOutcome.ts'
import type { ThreeDs } from './threeDs.ts'

/** A card by its token. */
export type CardRow = typeof cardTokens.$inferSelect

/**
 * Makes a payment and asks the card's bank for its money: `authorized`, or `failed` with the refusal; `created` still, when the
 * bank asks for a challenge first.
 *
 * @param charge.attended whether the customer is there: false when a merchant charges by itself
 */
export async function chargeCard(
  work: DatabaseWork,
  charge: { payment: createPayment.New; card: CardRow; attended: boolean; threeDs?: ThreeDs | undefined },
): Promise<{ payment: PaymentRow; refusal: CardRefusal | undefined }> {
  const { card, payment } = charge
  const outcome = cardOutcome(card.behaviour, charge)
  const created = await createPayment(work, {
    ...payment,
    cardToken: card.token,
    // A challenge that nobody answers ends with its payment.
    expiresAt: outcome === 'challenge' ? new Date(payment.at.getTime() + challengeMs) : null,
  })
  if (outcome === 'challenge') return { payment: created, refusal: undefined }
  const { paymentId } = created
  const { at } = payment
  if (outcome === 'approved') {
    const authorized = await movePayment(work, { paymentId, to: 'authorized', at })
    return { payment: authorized, refusal: undefined }
  }
  const reason = refusalWords[outcome]
  const failed = await movePayment(work, { paymentId, to: 'failed', at, reason, change: { error: reason } })
  return { payment: failed, refusal: outcome }
}

/** How long a challenge can be answered. */
const challengeMs = 10 * 60_000
