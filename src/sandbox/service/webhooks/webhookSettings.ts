import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { InvalidSandboxOptionsError } from '../../errors.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { webhookListeners, webhookSettings } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'

/** Whether webhooks can be sent there: http or https, without credentials, which would stand in the database. */
function isWebhookAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2_000 || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}

/** A secret that signs: text that a header and a `.env` file can hold. */
function isWebhookSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[!-~]{8,200}$/.test(text)
}

/** Where a merchant is told of things, and what signs them. A merchant without a secret is given one. */
export async function settingsOf(
  work: Database | DatabaseWork,
  merchantId: string,
): Promise<WebhookSettings> {
  const isTheirs = eq(webhookSettings.merchantId, merchantId)
  const [known] = await work.select().from(webhookSettings).where(isTheirs)
  if (known !== undefined) return known
  // Another one may be making it at the same time: whichever is written counts.
  await work.insert(webhookSettings).values({ merchantId, secret: newSecret() }).onConflictDoNothing()
  const [made] = await work.select().from(webhookSettings).where(isTheirs)
  if (made === undefined) throw new Error('The webhook settings were not written.')
  return made
}

type WebhookSettings = typeof webhookSettings.$inferSelect

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/** The secrets that sign at a time: a replaced one does for a day, so that the merchant's servers can follow. */
export function secretsAt(settings: WebhookSettings, now: number): readonly string[] {
  const { secret, previousSecret, previousUntil } = settings
  const isKept = previousSecret !== null && previousUntil !== null && previousUntil.getTime() > now
  return isKept ? [secret, previousSecret] : [secret]
}

/** Sets what the options say of webhooks; what they leave out stays as it is. */
export async function setWebhooks(
  work: DatabaseWork,
  merchants: readonly {
    merchantId: string
    webhookUrl?: string | undefined
    webhookSecret?: string | undefined
  }[],
): Promise<void> {
  for (const { merchantId, webhookUrl: url, webhookSecret: secret } of merchants) {
    if (url === undefined && secret === undefined) continue
    const set = { ...(url !== undefined && { url }), ...(secret !== undefined && { secret }) }
    await work
      .insert(webhookSettings)
      .values({ merchantId, secret: newSecret(), ...set })
      .onConflictDoUpdate({ target: webhookSettings.merchantId, set })
  }
}

/**
 * The webhook options of merchants.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function checkWebhookOptions(
  merchants: readonly { webhookUrl?: string | undefined; webhookSecret?: string | undefined }[],
): void {
  for (const { webhookUrl, webhookSecret } of merchants) {
    if (webhookUrl !== undefined && !isWebhookAddress(webhookUrl))
      throw new InvalidSandboxOptionsError('webhookUrl is no address that webhooks can be sent to.', {
        field: 'merchants.webhookUrl',
        fix: 'Give one with http or https and without user name and password.',
      })
    if (webhookSecret !== undefined && !isWebhookSecret(webhookSecret))
      throw new InvalidSandboxOptionsError('webhookSecret is no secret that can sign.', {
        field: 'merchants.webhookSecret',
        fix: 'Give 8 to 200 printable characters without spaces, or leave it out for a random one.',
      })
  }
}

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
