import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { filledText } from '../../../redeemkit/schema/values.ts'
import { webhookDeliveries, webhookListeners } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { dispatchEvents, takeDeliveries } from './createWebhookSender.ts'
import { eventRoutes, triggerEvent } from './eventRoutes.ts'
import { eventBody, noteAttempt } from './postWebhook.ts'
import { secretsAt, settingsOf, settingsRoutes } from './webhookSettings.ts'

const status = 'expected a status from 100 to 599'

const listenBody = z.strictObject({ name: filledText })
const listenerBody = z.strictObject({ listenerId: filledText })
const attempt = 'expected the attempt that `take` returned'
const doneBody = z.strictObject({
  listenerId: filledText,
  deliveryId: filledText,
  attempt: z.int(attempt).check(z.minimum(1, attempt)),
  status: z.optional(z.int(status).check(z.minimum(100, status), z.maximum(599, status))),
  error: z.optional(z.string().check(z.maxLength(100, 'expected at most 100 characters'))),
})

/** Routes for programs that fetch a merchant's events, such as `redeemkit listen` (PROTOCOL.md 2.10). */
const listenerRoutes: readonly Route[] = [
  route('POST', '/sandbox/webhooks/listen', async (service, context) => {
    const { name } = await readBody(context, listenBody)
    const { merchantId } = await authorizedMerchant(service, context)
    return {
      listenerId: await addListener(service, merchantId, name),
      ...(await secrets(service, merchantId)),
    }
  }),
  route('POST', '/sandbox/webhooks/take', async (service, context) => {
    const { listenerId } = await readBody(context, listenerBody)
    const merchantId = await listeningMerchant(service, context, listenerId)
    const database = await service.database()
    // Also creates the deliveries of events that were just emitted.
    await dispatchEvents(service, database)
    const taken = await takeDeliveries(service, database, { target: listenerId, limit: 50 })
    return {
      events: taken.map(({ deliveryId, attempts, event }) => ({
        deliveryId,
        attempt: attempts,
        event: eventBody(event),
      })),
      ...(await secrets(service, merchantId)),
    }
  }),
  route('POST', '/sandbox/webhooks/done', async (service, context) => {
    const { listenerId, deliveryId, attempt: attempts, status, error } = await readBody(context, doneBody)
    await listeningMerchant(service, context, listenerId)
    const database = await service.database()
    const [delivery] = await database
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.deliveryId, deliveryId), eq(webhookDeliveries.target, listenerId)))
    if (delivery === undefined) throw problem('NOT_FOUND', 'The listener has no such delivery.')
    await noteAttempt(service, database, {
      delivery: { ...delivery, attempts },
      outcome: { status, error },
    })
    return {}
  }),
  route('POST', '/sandbox/webhooks/unlisten', async (service, context) => {
    const { listenerId } = await readBody(context, listenerBody)
    await listeningMerchant(service, context, listenerId)
    const database = await service.database()
    await database.delete(webhookListeners).where(eq(webhookListeners.listenerId, listenerId))
    await database
      .delete(webhookDeliveries)
      .where(and(eq(webhookDeliveries.target, listenerId), eq(webhookDeliveries.status, 'pending')))
    return {}
  }),
]

/** Maximum number of listeners per merchant. The oldest, which may belong to a killed process, is removed. */
const mostListeners = 8

async function addListener(service: Service, merchantId: string, name: string): Promise<string> {
  const database = await service.database()
  return database.transaction(async (work) => {
    const isTheirs = eq(webhookListeners.merchantId, merchantId)
    await work
      .insert(webhookListeners)
      .values({ listenerId: `whl_${randomUUID()}`, merchantId, name, createdAt: new Date(service.now()) })
      .onConflictDoNothing()
    const rows = await work
      .select()
      .from(webhookListeners)
      .where(isTheirs)
      .orderBy(asc(webhookListeners.createdAt))
    const mine = rows.find((row) => row.name === name)
    if (mine === undefined) throw new Error('The listener was not stored.')
    const kept = [mine, ...rows.filter((row) => row !== mine).reverse()].slice(0, mostListeners)
    const ids = kept.map(({ listenerId }) => listenerId)
    const gone = rows.map(({ listenerId }) => listenerId).filter((id) => !ids.includes(id))
    await work.delete(webhookListeners).where(and(isTheirs, notInArray(webhookListeners.listenerId, ids)))
    if (gone.length > 0) await work.delete(webhookDeliveries).where(inArray(webhookDeliveries.target, gone))
    return mine.listenerId
  })
}

async function listeningMerchant(
  service: Service,
  context: Context<AppEnv>,
  listenerId: string,
): Promise<string> {
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const isIt = and(eq(webhookListeners.listenerId, listenerId), eq(webhookListeners.merchantId, merchantId))
  const [row] = await database.select().from(webhookListeners).where(isIt)
  if (row === undefined) throw problem('NOT_FOUND', 'The listener does not exist. Register it again.')
  return merchantId
}

async function secrets(service: Service, merchantId: string): Promise<{ secrets: readonly string[] }> {
  return { secrets: secretsAt(await settingsOf(await service.database(), merchantId), service.now()) }
}

export const webhookRoutes: readonly Route[] = [
  ...settingsRoutes,
  ...eventRoutes,
  ...listenerRoutes,
  triggerEvent,
]
