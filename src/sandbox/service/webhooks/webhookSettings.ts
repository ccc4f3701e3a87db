import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { InvalidSandboxOptionsError } from '../../errors.ts'
import { isMetadataAddress } from '../../servers/networks.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { webhookListeners, webhookSettings } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'

/** The database stores the URL, so it must not contain credentials. At a metadata address, the machine's credentials could be read. */
function isWebhookAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2_000 || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  const isHttp = protocol === 'http:' || protocol === 'https:'
  return isHttp && username === '' && password === '' && !isMetadataAddress(hostname)
}

/** A signing secret must fit in a header and a `.env` file. */
function isWebhookSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[!-~]{8,200}$/.test(text)
}

/** Creates a secret if there is none. */
export async function settingsOf(
  work: Database | DatabaseWork,
  merchantId: string,
): Promise<WebhookSettings> {
  const isTheirs = eq(webhookSettings.merchantId, merchantId)
  const [known] = await work.select().from(webhookSettings).where(isTheirs)
  if (known !== undefined) return known
  // If a concurrent request also creates a secret, both use the one that was stored.
  await work.insert(webhookSettings).values({ merchantId, secret: newSecret() }).onConflictDoNothing()
  const [made] = await work.select().from(webhookSettings).where(isTheirs)
  if (made === undefined) throw new Error('The webhook settings were not stored.')
  return made
}

type WebhookSettings = typeof webhookSettings.$inferSelect

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/** A replaced secret stays active for `overlapMs`, so that merchants have time to update servers. */
export function secretsAt(
  { secret, previousSecret, previousUntil }: WebhookSettings,
  now: number,
): readonly string[] {
  const isKept = previousSecret !== null && previousUntil !== null && previousUntil.getTime() > now
  return isKept ? [secret, previousSecret] : [secret]
}

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

export function checkWebhookOptions(
  merchants: readonly { webhookUrl?: string | undefined; webhookSecret?: string | undefined }[],
): void {
  for (const { webhookUrl, webhookSecret } of merchants) {
    if (webhookUrl !== undefined && !isWebhookAddress(webhookUrl))
      throw new InvalidSandboxOptionsError('webhookUrl is not a valid webhook URL.', {
        field: 'merchants.webhookUrl',
        fix: 'Pass an http or https URL without user name and password. Its host must not be a link-local address.',
      })
    if (webhookSecret !== undefined && !isWebhookSecret(webhookSecret))
      throw new InvalidSandboxOptionsError('webhookSecret is not a valid signing secret.', {
        field: 'merchants.webhookSecret',
        fix: 'Pass 8 to 200 printable characters without spaces, or omit it for a random one.',
      })
  }
}

const settingsBody = z.strictObject({
  /** Null removes the URL. */
  url: z.optional(z.nullable(z.string())),
  secret: z.optional(z.string()),
  rotate: z.optional(z.boolean()),
})

/** A merchant's webhook settings, which a real service has in its dashboard (PROTOCOL.md 2.10, 10.4). */
export const settingsRoutes: readonly Route[] = [
  route('GET', '/sandbox/webhooks', async (service, context) => {
    const { merchantId } = await authorizedMerchant(service, context)
    return answer(service, merchantId)
  }),
  route('POST', '/sandbox/webhooks', async (service, context) => {
    const body = await readBody(context, settingsBody)
    const { url, rotate = false } = body
    if (typeof url === 'string' && !isWebhookAddress(url))
      throw invalid(
        'url',
        'url must be http or https, without user name and password, and not a link-local address.',
      )
    if (body.secret !== undefined && (rotate || !isWebhookSecret(body.secret)))
      throw invalid(
        'secret',
        'secret must be 8 to 200 printable characters without spaces; rotate creates one.',
      )
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    await settingsOf(database, merchantId)
    const secret = rotate ? newSecret() : body.secret
    const isTheirs = eq(webhookSettings.merchantId, merchantId)
    await database.transaction(async (work) => {
      // The lock makes concurrent changes run one after another.
      const [before] = await work.select().from(webhookSettings).where(isTheirs).for('update')
      if (before === undefined) throw new Error('The webhook settings no longer exist.')
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
  }),
]

const overlapMs = 24 * 3_600_000

async function answer(service: Service, merchantId: string) {
  const database = await service.database()
  const { url, secret } = await settingsOf(database, merchantId)
  const listeners = await database
    .select()
    .from(webhookListeners)
    .where(eq(webhookListeners.merchantId, merchantId))
  return { url, secret, listeners: listeners.map(({ listenerId, name }) => ({ listenerId, name })) }
}
