import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { webhookDeliveries, webhookEvents } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { isStorableText } from '../http/storableText.ts'
import type { Service } from '../service.ts'
import { targetsOf } from './dispatchEvents.ts'

/**
 * Sends an event again, under the id that it has, to everybody who is told of the merchant's events today.
 *
 * @returns how many are going to be told
 * @throws ServiceProblem, 404, for an event that this merchant does not have
 */
export async function resendEvent(
  service: Service,
  options: { merchantId: string; id: string },
): Promise<number> {
  const { merchantId, id } = options
  const database = await service.database()
  const at = new Date(service.now())
  const count = await database.transaction(async (work) => {
    const isIt = and(eq(webhookEvents.id, id), eq(webhookEvents.merchantId, merchantId))
    const [event] = isStorableText(id)
      ? await work.select().from(webhookEvents).where(isIt).for('update')
      : []
    if (event === undefined) throw problem('NOT_FOUND', 'There is no such event.')
    const again = { status: 'pending', attempts: 0, nextAttemptAt: at, createdAt: at, updatedAt: at } as const // for the state's type
    const targets = await targetsOf(work, merchantId)
    for (const target of targets)
      await work
        .insert(webhookDeliveries)
        .values({ deliveryId: `whd_${randomUUID()}`, eventId: id, merchantId, target, ...again })
        .onConflictDoUpdate({
          target: [webhookDeliveries.eventId, webhookDeliveries.target],
          set: { ...again, lastStatus: null, lastError: null },
        })
    await work.update(webhookEvents).set({ dispatchedAt: at }).where(isIt)
    return targets.length
  })
  service.relayer.wake()
  return count
}
