import { eq } from 'drizzle-orm'
import type { SubscriptionStatus } from '../../../redeemkit/schema/subscription.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { subscriptionMoves, subscriptions } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { subscriptionRecord } from './subscriptionRecord.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

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

export type SubscriptionChange = Partial<
  Pick<SubscriptionRow, 'dueAt' | 'period' | 'refusals' | 'anchorAt' | 'anchorPeriod' | 'cardToken'>
>
