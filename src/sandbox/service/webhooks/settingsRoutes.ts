import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { webhookListeners, webhookSettings } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { newSecret, settingsOf } from './settingsOf.ts'
import { isWebhookAddress, isWebhookSecret } from './webhookAddress.ts'

const settingsBody = z.strictObject({
  /** Where to; null: nowhere. */
  url: z.optional(z.nullable(z.string())),
  /** The secret from now on. */
  secret: z.optional(z.string()),
  /** A new random secret. */
  rotate: z.optional(z.boolean()),
})

/** Where a merchant is told of things, as it would set it in the service's dashboard (PROTOCOL.md 2.10, 10.4). */
export const settingsRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/sandbox/webhooks',
    handle: async (service, context) => {
      const { merchantId } = await authorizedMerchant(service, context)
      return answer(service, merchantId)
    },
  },
  {
    method: 'POST',
    path: '/sandbox/webhooks',
    handle: async (service, context) => {
      const body = await readBody(context, settingsBody)
      const { url, rotate = false } = body
      if (typeof url === 'string' && !isWebhookAddress(url))
        throw problem('INVALID_REQUEST', 'url takes http or https, without user name and password.', {
          issues: ['url'],
        })
      if (body.secret !== undefined && (rotate || !isWebhookSecret(body.secret)))
        throw problem(
          'INVALID_REQUEST',
          'secret is 8 to 200 printable characters without spaces; rotate makes one by itself.',
          { issues: ['secret'] },
        )
      const { merchantId } = await authorizedMerchant(service, context)
      const database = await service.database()
      await settingsOf(database, merchantId)
      const secret = rotate ? newSecret() : body.secret
      const isTheirs = eq(webhookSettings.merchantId, merchantId)
      await database.transaction(async (work) => {
        // Two changes at once come one after the other: neither takes the other's back.
        const [before] = await work.select().from(webhookSettings).where(isTheirs).for('update')
        if (before === undefined) throw new Error('The webhook settings are gone.')
        await work
          .update(webhookSettings)
          .set({
            url: url === undefined ? before.url : url,
            ...(secret !== undefined &&
              secret !== before.secret && {
                secret,
                previousSecret: before.secret,
                previousUntil: new Date(service.now() + overlapMs),
              }),
          })
          .where(isTheirs)
      })
      return answer(service, merchantId)
    },
  },
]

/** For so long a replaced secret signs beside the new one. */
const overlapMs = 24 * 3_600_000

async function answer(service: Service, merchantId: string) {
  const database = await service.database()
  const { url, secret } = await settingsOf(database, merchantId)
  const listeners = await database
    .select()
    .from(webhookListeners)
    .where(eq(webhookListeners.merchantId, merchantId))
  return {
    url,
    secret,
    listeners: listeners.map(({ listenerId, name }) => ({ listenerId, name })),
  }
}
