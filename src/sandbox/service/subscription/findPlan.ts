import { and, eq, or } from 'drizzle-orm'
import type { Database } from '../../store/database.ts'
import { subscriptionPlans } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { isStorableText } from '../http/storableText.ts'
import type { PlanRow } from './subscriptionRow.ts'

/**
 * A merchant's plan by its id or its code.
 *
 * @throws ServiceProblem, 404, for one that this merchant does not have
 */
export async function findPlan(
  database: Database,
  wanted: { merchantId: string; planId: string },
): Promise<PlanRow> {
  const { merchantId, planId } = wanted
  const isIt = or(eq(subscriptionPlans.planId, planId), eq(subscriptionPlans.code, planId))
  const [row] = isStorableText(planId)
    ? await database
        .select()
        .from(subscriptionPlans)
        .where(and(eq(subscriptionPlans.merchantId, merchantId), isIt))
    : []
  if (row === undefined) throw problem('NOT_FOUND', 'There is no such plan.')
  return row
}
