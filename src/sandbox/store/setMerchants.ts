import { notInArray, sql } from 'drizzle-orm'
import type { DatabaseWork } from './database.ts'
import { hashSecret } from './hashSecret.ts'
import type { MerchantSettings } from './merchantSettings.ts'
import { merchants, sessionKeys } from './tables/index.ts'

/** Makes the merchants those of the options. One that they do not name keeps its rows, and has no key any more. */
export async function setMerchants(
  work: DatabaseWork,
  wanted: readonly {
    merchantId: string
    creditSeed: string
    apiKey: string
    settings?: MerchantSettings | undefined
  }[],
): Promise<void> {
  // No hash is spelt so: keys that the options do not give open nothing, and two merchants may trade theirs.
  await work.update(merchants).set({ apiKeyHash: sql`'none/' || ${merchants.merchantId}` })
  const named = wanted.map(({ merchantId }) => merchantId)
  await work.delete(sessionKeys).where(notInArray(sessionKeys.merchantId, named))
  for (const { merchantId, apiKey, creditSeed, settings = {} } of wanted) {
    const row = { creditSeed, apiKeyHash: hashSecret(apiKey), settings }
    await work
      .insert(merchants)
      .values({ merchantId, ...row })
      .onConflictDoUpdate({ target: merchants.merchantId, set: row })
  }
}
