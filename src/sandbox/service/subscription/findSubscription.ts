import { and, eq, type SQL } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptions } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { isStorableText } from '../http/storableText.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

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
