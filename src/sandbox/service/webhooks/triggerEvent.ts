import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { webhookEvent, webhookEventTypes } from '../../../redeemkit/schema/webhookEvent.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { checkStorable } from '../http/checkStorable.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { sampleEventData } from './sampleEventData.ts'

const eventTypes = Object.values(webhookEventTypes).flat()

const triggerBody = z.strictObject({
  type: z.enum(eventTypes),
  /** Fields that replace those of the sample. */
  data: z.optional(z.record(z.string(), z.unknown())),
  /** Has to be the merchant of the key, when given. */
  merchantId: z.optional(z.string()),
})

/** `POST /sandbox/webhooks/trigger`: tells the merchant of something that never happened (PROTOCOL.md 2.10). */
export const triggerEvent: Route = {
  method: 'POST',
  path: '/sandbox/webhooks/trigger',
  handle: async (service, context) => {
    const body = await readBody(context, triggerBody)
    checkStorable(body)
    const { type, data = {}, merchantId: named } = body
    const { merchantId } = await authorizedMerchant(service, context)
    if (named !== undefined && named !== merchantId)
      throw problem('FORBIDDEN', 'The API key belongs to another merchant than the one that was named.')
    const at = new Date(service.now())
    const envelope = { id: 'evt_sample', type, createdAt: at.toISOString() }
    const sample = { ...envelope, data: { ...sampleEventData(type, { merchantId, at }), ...data } }
    const event = parseRecord(webhookEvent, sample, { record: 'The event' })
    const database = await service.database()
    const id = await database.transaction((work) =>
      emitEvent(work, { merchantId, type, data: event.data, at }),
    )
    service.relayer.wake()
    return { id }
  },
}
