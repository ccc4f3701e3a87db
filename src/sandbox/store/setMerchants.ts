import { createHash } from 'node:crypto'
import { and, eq, ne, notInArray } from 'drizzle-orm'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { SandboxMerchantSettings } from '../merchantOptions.ts'
import type { DatabaseWork } from './database.ts'
import type { KeyScope } from './states.ts'
import { apiKeys, merchants, sessionKeys } from './tables/index.ts'

/** The database stores only this hash of a secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Applies the merchants in the options. A merchant that is no longer listed keeps its rows but loses its keys. */
export async function setMerchants(work: DatabaseWork, wanted: readonly WantedMerchant[]): Promise<void> {
  // All keys are deleted first, so that removed keys stop working and merchants can swap keys.
  await work.delete(apiKeys)
  const named = wanted.map(({ merchantId }) => merchantId)
  await work.delete(sessionKeys).where(notInArray(sessionKeys.merchantId, named))
  for (const { merchantId, creditSeed, keys, jwtSecret, ...how } of wanted) {
    const { enforceCheckoutJwt = false, settings = {} } = how
    // If the option is missing, the merchant keeps its secret.
    const row = { creditSeed, enforceCheckoutJwt, settings, ...(jwtSecret !== undefined && { jwtSecret }) }
    await checkSeed(work, { merchantId, creditSeed })
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

/** Rejects the credit seed of a merchant that an earlier start set up under another id, because the seed has that merchant's sales. */
async function checkSeed(
  work: DatabaseWork,
  { merchantId, creditSeed }: Pick<WantedMerchant, 'merchantId' | 'creditSeed'>,
): Promise<void> {
  const [owner] = await work
    .select({ merchantId: merchants.merchantId })
    .from(merchants)
    .where(and(eq(merchants.creditSeed, creditSeed), ne(merchants.merchantId, merchantId)))
  if (owner === undefined) return
  const [seed, id] = [showValue(creditSeed), showValue(owner.merchantId)]
  throw new InvalidSandboxOptionsError(
    `In this database, the credit seed ${seed} belongs to merchant ${id}.`,
    {
      field: 'merchants',
      fix: `Use the merchant id ${id} again, or another credit seed, data folder or database.`,
    },
  )
}

/** Number of characters of a key's hash that identify its row. */
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
  /** Default: unrestricted. */
  scope?: KeyScope | undefined
  /** IP addresses and networks such as `10.0.0.0/8` that may use the key. Default: any. */
  ips?: readonly string[] | undefined
  disabled?: boolean | undefined
}
