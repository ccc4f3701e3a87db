import { and, desc, eq, inArray, like, lt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import { webhookDeliveries, webhookEvents } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'
import { eventBody } from './eventBody.ts'
import { resendEvent } from './resendEvent.ts'

const resendBody = z.strictObject({ id: z.string() })

const eventsQuery = z.strictObject({
  ...purchasesQuery.shape,
  after: z.optional(z.string()),
  type: z.optional(z.string()),
  id: z.optional(z.string()),
})

/** What a merchant was told, and how that went (PROTOCOL.md 2.10). */
export const eventRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/sandbox/webhooks/events',
    handle: async (service, context) => {
      const query = parseRecord(eventsQuery, context.req.query(), { record: 'The query' })
      const { after, type, id } = query
      const limit = Number(query.limit ?? '20')
      if (![after, type, id].every((text) => text === undefined || isStorableText(text)))
        throw problem('INVALID_REQUEST', 'The query is not well-formed text.', { issues: ['after'] })
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
      if (after !== undefined && from === undefined) throw problem('NOT_FOUND', 'There is no such event.')
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
    },
  },
  {
    method: 'POST',
    path: '/sandbox/webhooks/resend',
    handle: async (service, context) => {
      const { id } = await readBody(context, resendBody)
      const { merchantId } = await authorizedMerchant(service, context)
      return { deliveries: await resendEvent(service, { merchantId, id }) }
    },
  },
]

/** `payment.*` is every type that begins so. */
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
