import { randomUUID } from 'node:crypto'
import { and, desc, eq, inArray, like, lt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import { webhookEvent, webhookEventTypes } from '../../../redeemkit/schema/webhookEvent.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { webhookDeliveries, webhookEvents } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { targetsOf } from './createWebhookSender.ts'
import { eventBody } from './postWebhook.ts'
import { sampleEventData } from './sampleEventData.ts'

/** Sends an event again, with the same id, to all current targets of the merchant, and returns their number. */
async function resendEvent(service: Service, options: { merchantId: string; id: string }): Promise<number> {
  const { merchantId, id } = options
  const database = await service.database()
  const at = new Date(service.now())
  const count = await database.transaction(async (work) => {
    const isIt = and(eq(webhookEvents.id, id), eq(webhookEvents.merchantId, merchantId))
    const [event] = await work.select().from(webhookEvents).where(isIt).for('update')
    if (event === undefined) throw problem('NOT_FOUND', 'The event does not exist.')
    const again = { status: 'pending', attempts: 0, nextAttemptAt: at, createdAt: at, updatedAt: at } as const // keeps the literal type
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

const eventTypes = Object.values(webhookEventTypes).flat()

const triggerBody = z.strictObject({
  type: z.enum(eventTypes),
  /** Fields that replace those of the sample. */
  data: z.optional(z.record(z.string(), z.unknown())),
  /** If given, must be the merchant of the API key. */
  merchantId: z.optional(z.string()),
})

export const triggerEvent = route('POST', '/sandbox/webhooks/trigger', async (service, context) => {
  const body = await readBody(context, triggerBody)
  const { type, data = {}, merchantId: named } = body
  const { merchantId } = await authorizedMerchant(service, context)
  if (named !== undefined && named !== merchantId)
    throw problem('FORBIDDEN', 'The API key belongs to another merchant.')
  const at = new Date(service.now())
  const envelope = { id: 'evt_sample', type, createdAt: at.toISOString() }
  const sample = { ...envelope, data: { ...sampleEventData(type, { merchantId, at }), ...data } }
  const event = parseRecord(webhookEvent, sample, { record: 'The event' })
  const database = await service.database()
  const id = await database.transaction((work) => emitEvent(work, { merchantId, type, data: event.data, at }))
  service.relayer.wake()
  return { id }
})

const resendBody = z.strictObject({ id: z.string() })

const eventsQuery = z.strictObject({
  ...purchasesQuery.shape,
  after: z.optional(z.string()),
  type: z.optional(z.string()),
  id: z.optional(z.string()),
})

export const eventRoutes: readonly Route[] = [
  route('GET', '/sandbox/webhooks/events', async (service, context) => {
    const query = parseRecord(eventsQuery, context.req.query(), { record: 'The query' })
    const { after, type, id } = query
    const limit = Number(query.limit ?? '20')
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const isTheirs = eq(webhookEvents.merchantId, merchantId)
    const [from] =
      after === undefined
        ? []
        : await database
            .select()
            .from(webhookEvents)
            .where(and(isTheirs, eq(webhookEvents.id, after)))
    if (after !== undefined && from === undefined) throw problem('NOT_FOUND', 'The event does not exist.')
    const rows = await database
      .select()
      .from(webhookEvents)
      .where(
        and(
          isTheirs,
          from && lt(webhookEvents.sequence, from.sequence),
          type === undefined ? undefined : matchesType(type),
          id === undefined ? undefined : eq(webhookEvents.id, id),
        ),
      )
      .orderBy(desc(webhookEvents.sequence))
      .limit(limit + 1)
    const shown = rows.slice(0, limit)
    const deliveries =
      shown.length === 0
        ? []
        : await database
            .select()
            .from(webhookDeliveries)
            .where(
              inArray(
                webhookDeliveries.eventId,
                shown.map((event) => event.id),
              ),
            )
    const last = shown.at(-1)
    return {
      events: shown.map((event) => ({
        ...eventBody(event),
        deliveries: deliveries.filter(({ eventId }) => eventId === event.id).map(deliveryRecord),
      })),
      ...(rows.length > limit && last !== undefined && { next: last.id }),
    }
  }),
  route('POST', '/sandbox/webhooks/resend', async (service, context) => {
    const { id } = await readBody(context, resendBody)
    const { merchantId } = await authorizedMerchant(service, context)
    return { deliveries: await resendEvent(service, { merchantId, id }) }
  }),
]

/** `payment.*` matches every type with that prefix. */
function matchesType(type: string) {
  if (!type.endsWith('.*')) return eq(webhookEvents.type, type)
  return like(webhookEvents.type, `${type.slice(0, -1).replace(/[\\%_]/g, '\\$&')}%`)
}

function deliveryRecord(row: typeof webhookDeliveries.$inferSelect) {
  const { target, status, attempts, lastStatus, lastError, nextAttemptAt, updatedAt } = row
  return {
    target,
    status,
    attempts,
    ...(lastStatus !== null && { lastStatus }),
    ...(lastError !== null && { lastError }),
    ...(status === 'pending' && { nextAttemptAt: nextAttemptAt.toISOString() }),
    updatedAt: updatedAt.toISOString(),
  }
}
