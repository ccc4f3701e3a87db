import { and, asc, isNotNull, lte } from 'drizzle-orm'
import type { Database } from '../../store/database.ts'
import { subscriptions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { chargePeriod, concludeSubscription } from './chargePeriod.ts'

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
