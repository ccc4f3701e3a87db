import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database } from '../../store/database.ts'
import { webhookDeliveries, webhookEvents } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import type { EventRow } from './eventBody.ts'

/**
 * Takes the deliveries to one target that are due, oldest first. For `leaseMs` they are of whoever took them; without a result by
 * then they are due again.
 */
export async function takeDeliveries(
  service: Pick<Service, 'now'>,
  database: Database,
  options: { target: string; merchantId?: string; limit: number },
): Promise<readonly Delivery[]> {
  const now = service.now()
  const { target, merchantId, limit } = options
  const isDue = and(
    eq(webhookDeliveries.status, 'pending'),
    eq(webhookDeliveries.target, target),
    lte(webhookDeliveries.nextAttemptAt, new Date(now)),
    merchantId === undefined ? undefined : eq(webhookDeliveries.merchantId, merchantId),
  )
  return database.transaction(async (work) => {
    const due = await work
      .select({ delivery: webhookDeliveries, event: webhookEvents })
      .from(webhookDeliveries)
      .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
      .where(isDue)
      .orderBy(asc(webhookEvents.sequence))
      .limit(limit)
      .for('update', { of: webhookDeliveries, skipLocked: true })
    if (due.length === 0) return []
    const ids = due.map(({ delivery }) => delivery.deliveryId)
    await work
      .update(webhookDeliveries)
      .set({
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        nextAttemptAt: new Date(now + leaseMs),
        updatedAt: new Date(now),
      })
      .where(inArray(webhookDeliveries.deliveryId, ids))
    return due.map(({ delivery, event }) => ({
      ...delivery,
      attempts: delivery.attempts + 1,
      event,
    }))
  })
}

/** Longer than an attempt takes. */
const leaseMs = 60_000

export type Delivery = typeof webhookDeliveries.$inferSelect & { event: EventRow }
