import { and, eq, gt } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { cardTokens, subscriptionBillings } from '../../store/tables/index.ts'
import type { CardRefusal } from '../checkout/card/cardOutcome.ts'
import { chargeCard } from '../checkout/card/chargeCard.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { changeSubscription, moveSubscription } from './moveSubscription.ts'
import { noteFailure } from './noteFailure.ts'
import { linesOfPurchase } from './periodLines.ts'
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
    payment: subscriptionPayment(row, { lines: await linesOfPurchase(work, row), at }),
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
  const next = await nextUnpaid(work, row)
  // A retry that is paid has yet to settle: until the next period begins, its failures count.
  const refusals = row.status === 'Active' ? 0 : row.refusals
  const change = { period: next, refusals, dueAt: dueAt(row, next) }
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

/** The first period after a paid one that is not paid: later ones may be, where this one was paid by a late retry. */
async function nextUnpaid(
  work: DatabaseWork,
  { subscriptionId, period }: Pick<SubscriptionRow, 'subscriptionId' | 'period'>,
): Promise<number> {
  const rows = await work
    .select({ period: subscriptionBillings.period })
    .from(subscriptionBillings)
    .where(
      and(eq(subscriptionBillings.subscriptionId, subscriptionId), gt(subscriptionBillings.period, period)),
    )
  const paid = new Set(rows.map((row) => row.period))
  let next = period + 1
  while (paid.has(next)) next++
  return next
}

/** When a period begins; after the last one, that is when the subscription ends. */
function dueAt(
  { merchantInitiated, anchorAt, interval, anchorPeriod }: SubscriptionRow,
  period: number,
): Date | null {
  return merchantInitiated ? null : periodStart(anchorAt, interval, period - anchorPeriod)
}

function noteRefused(
  work: DatabaseWork,
  row: SubscriptionRow,
  { refusal, at }: { refusal: CardRefusal; at: Date },
): Promise<SubscriptionRow> {
  return noteFailure(work, row, {
    to: refusal === 'fraud' ? 'Blocked' : 'Failed',
    // A new period begins while the subscription is Active: earlier failures were of another.
    refusals: row.status === 'Active' ? 1 : row.refusals + 1,
    reason: `The card was refused: ${refusal}.`,
    at,
  })
}
