import { randomUUID } from 'node:crypto'
import { asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries, webhookEvents, webhookListeners } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { settingsOf } from './settingsOf.ts'

/**
 * Makes the deliveries of new events: one for the merchant's address, one for each listener. Two processes may do it at once.
 *
 * @returns whether there may be more
 */
export async function dispatchEvents(service: Pick<Service, 'now'>, database: Database): Promise<boolean> {
  const [waiting] = await database
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(isNull(webhookEvents.dispatchedAt))
    .limit(1)
  if (waiting === undefined) return false
  const at = new Date(service.now())
  return database.transaction(async (work) => {
    const events = await work
      .select({ id: webhookEvents.id, merchantId: webhookEvents.merchantId })
      .from(webhookEvents)
      .where(isNull(webhookEvents.dispatchedAt))
      .orderBy(asc(webhookEvents.sequence))
      .limit(batch)
      .for('update', { skipLocked: true })
    if (events.length === 0) return false
    const targets = new Map<string, readonly string[]>()
    for (const merchantId of new Set(events.map((event) => event.merchantId)))
      targets.set(merchantId, await targetsOf(work, merchantId))
    const deliveries = events.flatMap(({ id: eventId, merchantId }) =>
      (targets.get(merchantId) ?? []).map((target) => ({
        deliveryId: `whd_${randomUUID()}`,
        eventId,
        merchantId,
        target,
        status: 'pending' as const,
        nextAttemptAt: at,
        createdAt: at,
        updatedAt: at,
      })),
    )
    if (deliveries.length > 0) await work.insert(webhookDeliveries).values(deliveries).onConflictDoNothing()
    await work
      .update(webhookEvents)
      .set({ dispatchedAt: at })
      .where(
        inArray(
          webhookEvents.id,
          events.map(({ id }) => id),
        ),
      )
    return events.length === batch
  })
}

const batch = 100

/** Who is told of a merchant's events: `url`, and the ids of listeners. */
export async function targetsOf(
  work: Parameters<typeof settingsOf>[0],
  merchantId: string,
): Promise<readonly string[]> {
  const { url } = await settingsOf(work, merchantId)
  const listeners = await work
    .select({ listenerId: webhookListeners.listenerId })
    .from(webhookListeners)
    .where(eq(webhookListeners.merchantId, merchantId))
  return [...(url === null ? [] : ['url']), ...listeners.map(({ listenerId }) => listenerId)]
}
