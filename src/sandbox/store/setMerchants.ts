import { createHash } from 'node:crypto'
import { notInArray } from 'drizzle-orm'
import type { SandboxMerchantSettings } from '../merchantOptions.ts'
import type { DatabaseWork } from './database.ts'
import type { KeyScope } from './states.ts'
import { apiKeys, merchants, sessionKeys } from './tables/index.ts'

/** SHA-256 of a secret, in hex: what the database keeps of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Makes the merchants those of the options. One that they do not name keeps its rows, and has no key any more. */
export async function setMerchants(work: DatabaseWork, wanted: readonly WantedMerchant[]): Promise<void> {
  // Keys that the options do not give open nothing, and two merchants may trade theirs.
  await work.delete(apiKeys)
  const named = wanted.map(({ merchantId }) => merchantId)
  await work.delete(sessionKeys).where(notInArray(sessionKeys.merchantId, named))
  for (const { merchantId, creditSeed, keys, jwtSecret, ...how } of wanted) {
    const { enforceCheckoutJwt = false, settings = {} } = how
    // Without one, the merchant keeps the secret that it has.
    const row = { creditSeed, enforceCheckoutJwt, settings, ...(jwtSecret !== undefined && { jwtSecret }) }
    await work
      .insert(merchants)
      .values({ merchantId, ...row })
      .onConflictDoUpdate({ target: merchants.merchantId, set: row })
    await work.insert(apiKeys).values(
      keys.map(({ key, scope = null, ips = [], disabled = false }) => {
        const keyHash = hashSecret(key)
        return { keyId: keyHash.slice(0, keyIdLength), keyHash, merchantId, scope, ips, disabled }
      }),
    )
  }
}

/** Characters of a key's hash that find its row. */
export const keyIdLength = 16

type WantedMerchant = {
  merchantId: string
  creditSeed: string
  keys: readonly WantedKey[]
  jwtSecret?: string | undefined
  enforceCheckoutJwt?: boolean | undefined
  settings?: SandboxMerchantSettings | undefined
}

export type WantedKey = {
  key: string
  /** Default: may do everything. */
  scope?: KeyScope | undefined
  /** IP addresses, and networks as `10.0.0.0/8`, that the key may come from. Default: any. */
  ips?: readonly string[] | undefined
  /** Default false. */
  disabled?: boolean | undefined
}
