import type { DatabaseWork } from '../../store/database.ts'
import { changeSubscription, moveSubscription, type SubscriptionChange } from './moveSubscription.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

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
