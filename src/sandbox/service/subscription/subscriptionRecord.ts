import { and, asc, eq, gte, type SQL } from 'drizzle-orm'
import type {
  PurchaseSubscriptionBody,
  Subscription,
  SubscriptionPlan,
  SubscriptionStatus,
} from '../../../redeemkit/schema/subscription.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import type { PaymentLine } from '../../store/states.ts'
import {
  payments,
  subscriptionBillings,
  subscriptionMoves,
  type subscriptionPlans,
  subscriptions,
} from '../../store/tables/index.ts'
import { cardFeeLines, feeLines } from '../checkout/paymentTotals.ts'
import type { Merchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'

import type { PaymentRow } from '../payments/paymentRecord.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type PlanRow = typeof subscriptionPlans.$inferSelect

/** Finds a subscription, and locks its row. */
export async function findSubscription(
  work: DatabaseWork,
  { subscriptionId, isTheirs }: { subscriptionId: string; isTheirs: SQL },
): Promise<SubscriptionRow> {
  const isIt = and(eq(subscriptions.subscriptionId, subscriptionId), isTheirs)
  const [row] = await work.select().from(subscriptions).where(isIt).for('update')
  if (row === undefined) throw problem('NOT_FOUND', 'The subscription does not exist.')
  return row
}

export const ofMerchant = (merchantId: string): SQL => eq(subscriptions.merchantId, merchantId)

/** Returns the subscription record for a row (PROTOCOL.md 11.12). */
export function subscriptionRecord(row: SubscriptionRow): Subscription {
  const { status, dueAt, duration, period } = row
  const isPayment = status === 'Failed' || (status === 'Active' && (duration === null || period < duration))
  return {
    id: row.subscriptionId,
    // A session key has a user id, a wallet, or both.
    customerId: row.userId ?? row.wallet ?? '',
    merchantId: row.merchantId,
    email: row.email ?? '',
    plan: row.planName,
    planCode: row.planCode,
    status,
    ...(row.blockchain !== null && { blockchain: row.blockchain }),
    ...(isPayment && dueAt !== null && { nextPaymentAt: dueAt.toISOString() }),
  }
}

export function planRecord(row: PlanRow): SubscriptionPlan {
  const { settlementChain } = row
  return {
    id: row.planId,
    name: row.name,
    code: row.code,
    interval: row.interval,
    amount: { cents: row.cents, currency: row.currency },
    active: row.active,
    ...(row.duration !== null && { duration: row.duration }),
    ...(row.description !== null && { description: row.description }),
    ...(row.transaction !== null && { transaction: row.transaction }),
    ...(settlementChain !== null && settlementChain !== 'user' && { settlementChain }),
    ...(row.merchantInitiated && { merchantInitiated: true }),
  }
}

/** The plan's amount plus the purchase's and the merchant's fees, computed as for a checkout (PROTOCOL.md 10.2). */
export function periodLines(
  { name, cents, currency }: Pick<PlanRow, 'name' | 'cents' | 'currency'>,
  body: Pick<PurchaseSubscriptionBody, 'feePercentage' | 'fixedFee'>,
  merchant: Pick<Merchant, 'settings'>,
): PaymentLine[] {
  const price = { cents: BigInt(cents), currency }
  const fees = [...feeLines(body, price), ...cardFeeLines(merchant, price)]
  const total = fees.reduce((sum, line) => sum + line.cents, BigInt(cents))
  if (total > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalid(
      body.fixedFee === undefined ? 'feePercentage' : 'fixedFee',
      'The total is above 2^53 - 1 cents.',
    )
  return [
    { kind: 'subtotal', label: name, cents },
    ...fees.map((line) => ({ ...line, cents: Number(line.cents) })),
  ]
}

export async function linesOfPurchase(
  work: Pick<DatabaseWork, 'select'>,
  { subscriptionId, merchantId, createdAt }: SubscriptionRow,
): Promise<readonly PaymentLine[]> {
  const [first] = await work
    .select({ lines: payments.lines })
    .from(payments)
    .where(
      and(
        eq(payments.subscriptionId, subscriptionId),
        // These two conditions let the query use an index. The first payment is as old as the subscription.
        eq(payments.merchantId, merchantId),
        gte(payments.createdAt, createdAt),
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(1)
  if (first === undefined) throw new Error(`Subscription ${subscriptionId} has no payment.`)
  return first.lines
}

/** The states to which each state may move (PROTOCOL.md 10.5). */
const allowedSubscriptionMoves: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Canceled', 'Expired', 'Concluded', 'Failed', 'Blocked'],
  Failed: ['Active'],
  Blocked: ['Active'],
  Canceled: [],
  Expired: [],
  Concluded: [],
}

/** Records the move with its time, and emits an event. The row must be locked. */
export async function moveSubscription(
  work: DatabaseWork,
  row: SubscriptionRow,
  move: {
    to: SubscriptionStatus
    at: Date
    reason?: string | undefined
    change?: SubscriptionChange | undefined
  },
): Promise<SubscriptionRow> {
  const { to, at, reason, change } = move
  const { subscriptionId, merchantId, status: from } = row
  if (!allowedSubscriptionMoves[from].includes(to))
    throw problem('SUBSCRIPTION_STATE', `The subscription is ${from} and cannot become ${to}.`, {
      details: { subscriptionId, status: from },
    })
  const moved = await changeSubscription(work, row, { ...change, status: to }, at)
  await work.insert(subscriptionMoves).values({ subscriptionId, from, to, reason: reason ?? null, at })
  const data = subscriptionRecord(moved)
  await emitEvent(work, { merchantId, type: `subscription.${to.toLowerCase()}`, data, at })
  return moved
}

export async function changeSubscription(
  work: DatabaseWork,
  row: SubscriptionRow,
  change: SubscriptionChange & Partial<Pick<SubscriptionRow, 'status'>>,
  at: Date,
): Promise<SubscriptionRow> {
  const set = { ...change, updatedAt: at }
  await work.update(subscriptions).set(set).where(eq(subscriptions.subscriptionId, row.subscriptionId))
  return { ...row, ...set }
}

type SubscriptionChange = Partial<
  Pick<
    SubscriptionRow,
    'dueAt' | 'canceledAt' | 'period' | 'refusals' | 'anchorAt' | 'anchorPeriod' | 'cardToken'
  >
>

/** The subscription becomes `Failed` with a retry, or `Blocked` without one (PROTOCOL.md 10.5). `refusals` includes this failure. */
export function noteFailure(
  work: DatabaseWork,
  row: SubscriptionRow,
  failure: {
    to: 'Failed' | 'Blocked'
    refusals: number
    reason: string
    at: Date
    change?: SubscriptionChange | undefined
  },
): Promise<SubscriptionRow> {
  const { to, refusals, reason, at } = failure
  const pause = row.merchantInitiated || to === 'Blocked' ? undefined : retryDays[refusals - 1]
  const dueAt = pause === undefined ? null : new Date(at.getTime() + pause * 86_400_000)
  const change = { ...failure.change, refusals, dueAt }
  if (row.status !== 'Active') return changeSubscription(work, row, change, at)
  return moveSubscription(work, row, { to, at, reason, change })
}

/** Days between a failure and the next retry. After the last of them there is no further retry. */
const retryDays: readonly number[] = [1, 3, 5, 7]

/** The payment could not settle and was refunded. The period is retried as after a declined card (PROTOCOL.md 10.5). */
export async function reopenPeriod(
  work: DatabaseWork,
  { paymentId, subscriptionId }: Pick<PaymentRow, 'paymentId' | 'subscriptionId'>,
  at: Date,
): Promise<void> {
  if (subscriptionId === null) return
  const [row] = await work
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId))
    .for('update')
  const [billing] = await work
    .delete(subscriptionBillings)
    .where(
      and(
        eq(subscriptionBillings.subscriptionId, subscriptionId),
        eq(subscriptionBillings.paymentId, paymentId),
      ),
    )
    .returning()
  if (row === undefined || billing === undefined) return
  const period = Math.min(row.period, billing.period)
  if (row.status === 'Active')
    await noteFailure(work, row, {
      to: 'Failed',
      refusals: row.refusals + 1,
      reason: 'The payment could not be settled.',
      at,
      change: { period },
    })
  // A later period has failed or the subscription is blocked. When the subscription resumes, this period is charged first.
  else if (row.status === 'Failed' || row.status === 'Blocked')
    await changeSubscription(work, row, { period }, at)
}
