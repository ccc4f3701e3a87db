import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNull, lte, min, sql } from 'drizzle-orm'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import type { Database } from '../../store/database.ts'
import { given, statement } from '../../store/statement.ts'
import { webhookDeliveries, webhookEvents, webhookListeners } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { type EventRow, eventBody, noteAttempt, postWebhook } from './postWebhook.ts'
import { secretsAt, settingsOf } from './webhookSettings.ts'

/** Leases the due deliveries of one target, oldest first. If no result arrives within `leaseMs`, they become due again. */
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

/** Duration of a lease, longer than any attempt. */
const leaseMs = 60_000

export type Delivery = typeof webhookDeliveries.$inferSelect & { event: EventRow }

/** Creates deliveries for the merchant's URL and each listener. Several processes can run this. Returns whether more events may wait. */
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
    await setDispatched(work, { ids: events.map(({ id }) => id), at })
    return events.length === batch
  })
}

const batch = 100

const setDispatched = statement((database) =>
  database
    .update(webhookEvents)
    .set({ dispatchedAt: given(webhookEvents.dispatchedAt, 'at') })
    .where(sql`${webhookEvents.id} = any(${sql.placeholder('ids')}::text[])`),
)

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

/** Sends each delivery at least once (PROTOCOL.md 10.4). A slow receiver delays only its own merchant's webhooks. */
export function createWebhookSender(
  service: Pick<Service, 'now' | 'onError'>,
  options: createWebhookSender.Options,
): WebhookSender {
  const underWay = new Map<string, Promise<void>>()

  async function sendTo(database: Database, merchantId: string): Promise<void> {
    try {
      const taken = await takeDeliveries(service, database, { target: 'url', merchantId, limit: 16 })
      await Promise.all(taken.map((delivery) => deliver(service, database, { ...options, delivery })))
    } catch (error) {
      // The next pass retries a result that could not be stored.
      service.onError?.(error)
    } finally {
      underWay.delete(merchantId)
    }
  }

  return {
    send: async (database) => {
      const waiting = await database
        .select({ merchantId: webhookDeliveries.merchantId, due: min(webhookDeliveries.nextAttemptAt) })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.status, 'pending'), eq(webhookDeliveries.target, 'url')))
        .groupBy(webhookDeliveries.merchantId)
      for (const { merchantId, due } of waiting)
        if (due !== null && due.getTime() <= service.now() && !underWay.has(merchantId))
          underWay.set(merchantId, sendTo(database, merchantId))
      return waiting.length > 0 || underWay.size > 0
    },
    idle: async () => {
      await Promise.all(underWay.values())
    },
  }
}

export declare namespace createWebhookSender {
  type Options = {
    /** Clock for the time in signatures: the machine's, even if the service's was moved, because receivers compare it with theirs. */
    signedAt: Clock
    headerPrefix: string | undefined
    timeoutMs?: number | undefined
  }
}

export type WebhookSender = {
  /** Does not wait for the receivers. Returns whether any delivery remains to be sent, now or later. */
  send: (database: Database) => Promise<boolean>
  idle: () => Promise<void>
}

async function deliver(
  service: Pick<Service, 'now'>,
  database: Database,
  options: createWebhookSender.Options & { delivery: Delivery },
): Promise<void> {
  const { delivery, signedAt, headerPrefix, timeoutMs } = options
  const settings = await settingsOf(database, delivery.merchantId)
  const outcome =
    settings.url === null
      ? { error: 'NO_ADDRESS' }
      : await postWebhook({
          url: settings.url,
          event: eventBody(delivery.event),
          secrets: secretsAt(settings, service.now()),
          seconds: Math.floor(signedAt() / 1000),
          headerPrefix,
          timeoutMs,
        })
  await noteAttempt(service, database, { delivery, outcome })
}
