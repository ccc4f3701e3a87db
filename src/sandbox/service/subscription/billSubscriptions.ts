import { and, asc, eq, gt, isNotNull, lte } from 'drizzle-orm'
import type { Database, DatabaseWork } from '../../store/database.ts'
import type { PaymentLine, PlanInterval } from '../../store/states.ts'
import { cardTokens, subscriptionBillings, subscriptions } from '../../store/tables/index.ts'
import { type CardRefusal, chargeCard } from '../checkout/card/chargeCard.ts'
import { convertCents } from '../checkout/rates.ts'
import type { createPayment } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import {
  changeSubscription,
  linesOfPurchase,
  moveSubscription,
  noteFailure,
  type SubscriptionRow,
} from './subscriptionRecord.ts'

const dayMs = 86_400_000

/**
 * When the n-th period after an anchor begins, in UTC. Months and years are counted from the anchor itself: what began on 31
 * January goes on 28 or 29 February and on 31 March.
 */
export function periodStart(anchor: Date, interval: PlanInterval, n: number): Date {
  switch (interval) {
    case 'Daily':
      return new Date(anchor.getTime() + n * dayMs)
    case 'Weekly':
      return new Date(anchor.getTime() + n * 7 * dayMs)
    case 'Monthly':
      return addMonths(anchor, n)
    case 'Yearly':
      return addMonths(anchor, 12 * n)
  }
}

function addMonths(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear()
  const month = anchor.getUTCMonth() + months
  // Day 0 of a month is the last of the one before.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = anchor.getTime() % dayMs
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + timeOfDay)
}

/**
 * The payment of one period, ready to be charged: the plan's amount, the purchase's fees, and what the plan carries.
 *
 * @param options.lines what each period costs, as the purchase said
 */
export function subscriptionPayment(
  terms: SubscriptionTerms,
  { lines, at }: { lines: readonly PaymentLine[]; at: Date },
): createPayment.New {
  const { cents, currency } = terms
  const usdCents = convertCents(BigInt(cents), { from: currency, to: 'USD', round: 'down', field: 'amount' })
  const totalCents = lines.reduce((sum, line) => sum + line.cents, 0)
  return {
    merchantId: terms.merchantId,
    userId: terms.userId,
    wallet: terms.wallet,
    blockchain: terms.settlementChain ?? terms.blockchain,
    rail: 'card',
    subtotalCents: cents,
    currency,
    usdCents: Number(usdCents),
    chargedCurrency: currency,
    totalCents,
    chargedCents: totalCents,
    lines,
    carried: terms.carried,
    email: terms.email,
    customerInfo: terms.customerInfo,
    webhookInfo: terms.webhookInfo,
    subscriptionId: terms.subscriptionId,
    at,
  }
}

type SubscriptionTerms = Pick<
  SubscriptionRow,
  | 'subscriptionId'
  | 'merchantId'
  | 'userId'
  | 'wallet'
  | 'blockchain'
  | 'settlementChain'
  | 'carried'
  | 'cents'
  | 'currency'
  | 'email'
  | 'customerInfo'
  | 'webhookInfo'
>

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

type ChargedPeriod = {
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

function concludeSubscription(work: DatabaseWork, row: SubscriptionRow, at: Date) {
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

/**
 * Does what fell due with subscriptions, the oldest first: payments, retries, ends. Each step is a database transaction of its
 * own, and is written with the time at which it fell due: after a moved clock every missed period is paid once, in order. Two
 * processes may do it at once.
 *
 * @returns whether something is going to be due
 */
export async function billSubscriptions(
  service: Pick<Service, 'now' | 'relayer'>,
  database: Database,
): Promise<boolean> {
  const [next] = await database
    .select({ dueAt: subscriptions.dueAt })
    .from(subscriptions)
    .where(isNotNull(subscriptions.dueAt))
    .orderBy(asc(subscriptions.dueAt))
    .limit(1)
  if (next === undefined) return false
  if (next.dueAt !== null && next.dueAt.getTime() > service.now()) return true
  while (await billNext(service, database));
  // What a payment carries is done by another loop.
  service.relayer.wake()
  return true
}

/** @returns whether there was a step to do */
function billNext(service: Pick<Service, 'now' | 'relayer'>, database: Database): Promise<boolean> {
  return database.transaction(async (work) => {
    const [row] = await work
      .select()
      .from(subscriptions)
      .where(and(isNotNull(subscriptions.dueAt), lte(subscriptions.dueAt, new Date(service.now()))))
      .orderBy(asc(subscriptions.dueAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (row === undefined || row.dueAt === null) return false
    const isOver = row.duration !== null && row.period >= row.duration
    if (isOver) await concludeSubscription(work, row, row.dueAt)
    else await chargePeriod(service, work, row, row.dueAt)
    return true
  })
}
