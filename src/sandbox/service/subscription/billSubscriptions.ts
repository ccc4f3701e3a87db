import { and, asc, eq, gt, isNotNull, lte } from 'drizzle-orm'
import type { Database, DatabaseWork } from '../../store/database.ts'
import type { PaymentLine, PlanInterval } from '../../store/states.ts'
import { cardTokens, subscriptionBillings, subscriptions } from '../../store/tables/index.ts'
import { hasExpired } from '../checkout/cards.ts'
import { type CardRefusal, chargeCard, refusalMessages } from '../checkout/chargeCard.ts'
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

/** In UTC. Months and years count from the anchor: 31 January is followed by 28 or 29 February and by 31 March. */
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
  // Day 0 is the last day of the previous month.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeOfDay = anchor.getTime() % dayMs
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + timeOfDay)
}

/** Builds the payment of one period. `lines` is the price of each period, as computed at the purchase. */
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
 * The subscription becomes `Active` if paid, `Failed` with a retry if declined, `Blocked` on suspected fraud, and `Expired` if the card
 * has expired (PROTOCOL.md 10.5). Its row must be locked.
 */
export async function chargePeriod(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  row: SubscriptionRow,
  at: Date,
): Promise<ChargedPeriod> {
  const [card] = await work.select().from(cardTokens).where(eq(cardTokens.token, row.cardToken))
  if (card === undefined || hasExpired(card, at.getTime()))
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
  /** Undefined if the card has expired, so that it was not charged. */
  payment: PaymentRow | undefined
  refusal: CardRefusal | 'expired' | undefined
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
  // A second payment for this period would violate the primary key, which rolls back everything.
  await work.insert(subscriptionBillings).values({ subscriptionId, period, paymentId, at })
  const next = await nextUnpaid(work, row)
  // A paid retry must still settle, so its earlier failures are kept until the next period.
  const refusals = row.status === 'Active' ? 0 : row.refusals
  const change = { period: next, refusals, dueAt: dueAt(row, next) }
  const paid =
    row.status === 'Failed'
      ? await moveSubscription(work, row, { to: 'Active', at, reason: 'A retry was paid.', change })
      : await changeSubscription(work, row, change, at)
  // Without further dates, this was the last payment of the subscription.
  const isLast = paid.merchantInitiated && paid.duration !== null && paid.period >= paid.duration
  return isLast ? concludeSubscription(work, paid, at) : paid
}

function concludeSubscription(work: DatabaseWork, row: SubscriptionRow, at: Date) {
  const reason = 'All payments of the plan were made.'
  return moveSubscription(work, row, { to: 'Concluded', at, reason, change: { dueAt: null } })
}

/** Returns the first unpaid period after a paid one. After a late retry, later periods may be paid already. */
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

/** Returns the start of a period or, after the last period, the end of the subscription. */
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
    // A failure in an Active subscription is the first failure of a new period.
    refusals: row.status === 'Active' ? 1 : row.refusals + 1,
    reason: refusalMessages[refusal],
    at,
  })
}

/**
 * Each step has its own database transaction and is recorded with its due time, oldest first. After the clock is advanced, each missed
 * period is therefore paid once, in order. Several processes can run this concurrently. Returns whether anything will become due later.
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
  // The relayer's next pass settles the payments.
  service.relayer.wake()
  return true
}

/** Returns whether there was a step to run. */
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
