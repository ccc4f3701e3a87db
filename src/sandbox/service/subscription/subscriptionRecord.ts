import type { Subscription, SubscriptionPlan } from '../../../redeemkit/schema/subscription.ts'
import type { PlanRow, SubscriptionRow } from './subscriptionRow.ts'

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
