import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { webhookSettings } from '../../store/tables/index.ts'

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

export type WebhookSettings = typeof webhookSettings.$inferSelect

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`
}

/** The secrets that sign at a time: a replaced one does for a day, so that the merchant's servers can follow. */
export function secretsAt(settings: WebhookSettings, now: number): readonly string[] {
  const { secret, previousSecret, previousUntil } = settings
  const isKept = previousSecret !== null && previousUntil !== null && previousUntil.getTime() > now
  return isKept ? [secret, previousSecret] : [secret]
}
