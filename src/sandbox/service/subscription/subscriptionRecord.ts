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
import { feeLines } from '../checkout/paymentTotals.ts'
import { problem } from '../http/problem.ts'
import { isStorableText } from '../http/readBody.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type PlanRow = typeof subscriptionPlans.$inferSelect

/**
 * A subscription by its id, locked until the work is done.
 *
 * @param wanted.isTheirs whose it has to be
 * @throws ServiceProblem, 404, for anybody else's
 */
export async function findSubscription(
  work: DatabaseWork,
  wanted: { subscriptionId: string; isTheirs: SQL },
): Promise<SubscriptionRow> {
  const { subscriptionId, isTheirs } = wanted
  const isIt = and(eq(subscriptions.subscriptionId, subscriptionId), isTheirs)
  const [row] = isStorableText(subscriptionId)
    ? await work.select().from(subscriptions).where(isIt).for('update')
    : []
  if (row === undefined) throw problem('NOT_FOUND', 'There is no such subscription.')
  return row
}

/** Those of one merchant. */
export const ofMerchant = (merchantId: string): SQL => eq(subscriptions.merchantId, merchantId)

/** The subscription record of a row (PROTOCOL.md 11.12). */
export function subscriptionRecord(row: SubscriptionRow): Subscription {
  const { status, dueAt, duration, period } = row
  const isPayment = status === 'Failed' || (status === 'Active' && (duration === null || period < duration))
  return {
    id: row.subscriptionId,
    // A session key names at least one of them.
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

/** The plan record of a row (PROTOCOL.md 11.12). */
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

/**
 * What each period costs: the plan's amount and the fees of the purchase, as a checkout counts them (PROTOCOL.md 10.2).
 *
 * @throws ServiceProblem `INVALID_REQUEST` for a fee that is no amount, and a total above 2^53 - 1
 */
export function periodLines(
  { name, cents, currency }: Pick<PlanRow, 'name' | 'cents' | 'currency'>,
  body: Pick<PurchaseSubscriptionBody, 'feePercentage' | 'fixedFee'>,
): PaymentLine[] {
  const fees = feeLines(body, { cents: BigInt(cents), currency })
  const total = fees.reduce((sum, line) => sum + line.cents, BigInt(cents))
  if (total > BigInt(Number.MAX_SAFE_INTEGER))
    throw problem('INVALID_REQUEST', 'The total is above 2^53 - 1 cents.', {
      issues: [body.fixedFee === undefined ? 'feePercentage' : 'fixedFee'],
    })
  return [
    { kind: 'subtotal', label: name, cents },
    ...fees.map((line) => ({ ...line, cents: Number(line.cents) })),
  ]
}

/** The same, as the payment of the purchase has it: the first one of the subscription. */
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
        // For the index: it was made in the moment of the purchase.
        eq(payments.merchantId, merchantId),
        gte(payments.createdAt, createdAt),
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(1)
  if (first === undefined) throw new Error(`Subscription ${subscriptionId} has no payment.`)
  return first.lines
}

/** Where a subscription may go from each state (PROTOCOL.md 10.5). */
const allowedSubscriptionMoves: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  Active: ['Canceled', 'Expired', 'Concluded', 'Failed', 'Blocked'],
  Failed: ['Active'],
  Blocked: ['Active'],
  Canceled: [],
  Expired: [],
  Concluded: [],
}

/**
 * Moves a subscription that the caller has locked to another state, notes the move with its time, and tells the merchant.
 *
 * @param move.change columns that change with the state
 * @throws ServiceProblem `SUBSCRIPTION_STATE` for a move that is not allowed
 */
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
    throw problem('SUBSCRIPTION_STATE', `The subscription is ${from}; from there it cannot become ${to}.`, {
      details: { subscriptionId, status: from },
    })
  const moved = await changeSubscription(work, row, { ...change, status: to }, at)
  await work.insert(subscriptionMoves).values({ subscriptionId, from, to, reason: reason ?? null, at })
  const data = subscriptionRecord(moved)
  await emitEvent(work, { merchantId, type: `subscription.${to.toLowerCase()}`, data, at })
  return moved
}

/** Changes a locked subscription within its state. */
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
  Pick<SubscriptionRow, 'dueAt' | 'period' | 'refusals' | 'anchorAt' | 'anchorPeriod' | 'cardToken'>
>

/**
 * Notes that a period's payment came to nothing: `Failed` with a retry due, or `Blocked` without one (PROTOCOL.md 10.5).
 *
 * @param failure.refusals how often this period has failed, this time included
 */
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

/** Days from one failure to the next attempt; after them there is none. */
const retryDays: readonly number[] = [1, 3, 5, 7]

/**
 * Takes back that a payment has paid a period of its subscription, because what it carried could not be done and its money went
 * back: the period is to be paid again, as after a refusal (PROTOCOL.md 10.5). Nothing for payments of no subscription.
 */
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
      reason: 'What the payment carried could not be done.',
      at,
      change: { period },
    })
  // A later period has failed, or somebody has stopped it: it goes on with this period, when it does.
  else if (row.status === 'Failed' || row.status === 'Blocked')
    await changeSubscription(work, row, { period }, at)
}
