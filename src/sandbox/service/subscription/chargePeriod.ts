import { eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { cardTokens, subscriptionBillings } from '../../store/tables/index.ts'
import type { CardRefusal } from '../checkout/card/cardOutcome.ts'
import { chargeCard } from '../checkout/card/chargeCard.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { changeSubscription, moveSubscription } from './moveSubscription.ts'
import { periodStart } from './periodStart.ts'
import { subscriptionPayment } from './subscriptionPayment.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

/**
 * Takes the payment of a locked subscription's next period, and moves the subscription on: paid, it is `Active` with the next
 * period due; refused, it is `Failed` with a retry due, or `Blocked` where the bank speaks of fraud; with a card that has expired
 * it is `Expired` (PROTOCOL.md 10.5).
 *
 * @param at when the payment is taken, for everything that is written
 */
export async function chargePeriod(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  row: SubscriptionRow,
  at: Date,
): Promise<ChargedPeriod> {
  const [card] = await work.select().from(cardTokens).where(eq(cardTokens.token, row.cardToken))
  if (card === undefined || hasExpired(card, at))
    return { subscription: await endByCard(work, row, at), payment: undefined, refusal: 'expired' }
  const { payment, refusal } = await chargeCard(work, {
    payment: subscriptionPayment(row, at),
    card,
    attended: false,
  })
  if (refusal === undefined)
    return {
      subscription: await notePaid(work, row, { paymentId: payment.paymentId, at }),
      payment: await settlePayment(service, work, payment),
      refusal: undefined,
    }
  return { subscription: await noteRefused(work, row, { refusal, at }), payment, refusal }
}

export type ChargedPeriod = {
  subscription: SubscriptionRow
  /** Undefined when the card has expired: none was tried. */
  payment: PaymentRow | undefined
  refusal: CardRefusal | 'expired' | undefined
}

/** A card is good until the end of its month, UTC. */
function hasExpired({ expMonth, expYear }: { expMonth: number; expYear: number }, at: Date): boolean {
  return at.getTime() >= Date.UTC(expYear, expMonth)
}

function endByCard(work: DatabaseWork, row: SubscriptionRow, at: Date): Promise<SubscriptionRow> {
  if (row.status !== 'Active') return changeSubscription(work, row, { dueAt: null }, at)
  return moveSubscription(work, row, {
    to: 'Expired',
    at,
    reason: 'The card has expired.',
    change: { dueAt: null },
  })
}

async function notePaid(
  work: DatabaseWork,
  row: SubscriptionRow,
  { paymentId, at }: { paymentId: string; at: Date },
): Promise<SubscriptionRow> {
  const { subscriptionId, period } = row
  // Another payment of this period would break the primary key here, and be taken back with all of its work.
  await work.insert(subscriptionBillings).values({ subscriptionId, period, paymentId, at })
  const change = { period: period + 1, refusals: 0, dueAt: dueAfter(row) }
  const paid =
    row.status === 'Failed'
      ? await moveSubscription(work, row, { to: 'Active', at, reason: 'A retry was paid.', change })
      : await changeSubscription(work, row, change, at)
  // Where no dates are kept, the last payment is the end.
  const isLast = paid.merchantInitiated && paid.duration !== null && paid.period >= paid.duration
  return isLast ? concludeSubscription(work, paid, at) : paid
}

export function concludeSubscription(work: DatabaseWork, row: SubscriptionRow, at: Date) {
  const reason = 'All payments of the plan were made.'
  return moveSubscription(work, row, { to: 'Concluded', at, reason, change: { dueAt: null } })
}

/** When the period after the one that was paid begins; after the last one, that is when the subscription ends. */
function dueAfter({
  merchantInitiated,
  anchorAt,
  interval,
  period,
  anchorPeriod,
}: SubscriptionRow): Date | null {
  return merchantInitiated ? null : periodStart(anchorAt, interval, period + 1 - anchorPeriod)
}

async function noteRefused(
  work: DatabaseWork,
  row: SubscriptionRow,
  { refusal, at }: { refusal: CardRefusal; at: Date },
): Promise<SubscriptionRow> {
  const refusals = row.refusals + 1
  const pause = row.merchantInitiated || refusal === 'fraud' ? undefined : retryDays[refusals - 1]
  const dueAt = pause === undefined ? null : new Date(at.getTime() + pause * 86_400_000)
  const change = { refusals, dueAt }
  if (row.status !== 'Active') return changeSubscription(work, row, change, at)
  const to = refusal === 'fraud' ? 'Blocked' : 'Failed'
  return moveSubscription(work, row, { to, at, reason: `The card was refused: ${refusal}.`, change })
}

/** Days from one refusal to the next attempt; after them there is none. */
export const retryDays: readonly number[] = [1, 3, 5, 7]
