import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { orderIdProblem } from '../../../redeemkit/core/orderId.ts'
import type { SandboxMerchantSettings } from '../../merchantOptions.ts'
import { isInNetworks } from '../../servers/networks.ts'
import { hashSecret, keyIdLength } from '../../store/setMerchants.ts'
import type { KeyScope } from '../../store/states.ts'
import { apiKeys, merchants } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { clientAddress } from './checkCaller.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** The permission that a call with an API key requires. */
type Right = 'read' | 'sell' | 'payOut' | 'dispute' | 'manage'

// #region rights
const rights: Record<KeyScope, readonly Right[]> = {
  admin: ['read', 'sell', 'payOut', 'dispute', 'manage'],
  editor: ['read', 'sell', 'payOut', 'dispute', 'manage'],
  chargeback: ['read', 'dispute'],
  chargeback_analyst: ['read'],
  viewer: ['read'],
  seller: ['read', 'sell', 'payOut'],
  pos_device: ['sell'],
}

/** The permission that calls require, by path. Any other GET requires `read`, any other call `manage`. */
const paths: readonly [RegExp, Right][] = [
  [/^\/api\/auth\/session-key$/, 'sell'],
  [/^\/api\/(checkout|tokenize)(\/|$)/, 'sell'],
  [/^\/api\/seller\//, 'payOut'],
  [/^\/api\/merchant\/chargebacks\//, 'dispute'],
]
// #endregion

export function mayUse(scope: KeyScope, call: { method: string; path: string }): boolean {
  return rights[scope].includes(rightOf(call))
}

function rightOf({ method, path }: { method: string; path: string }): Right {
  const special = paths.find(([pattern]) => pattern.test(path))
  return special?.[1] ?? (method === 'GET' ? 'read' : 'manage')
}

export type Merchant = {
  merchantId: string
  creditSeed: string
  enforceCheckoutJwt: boolean
  settings: SandboxMerchantSettings
}

const merchantColumns = {
  merchantId: merchants.merchantId,
  creditSeed: merchants.creditSeed,
  enforceCheckoutJwt: merchants.enforceCheckoutJwt,
  settings: merchants.settings,
}

/** Finds the merchant of the API key in `Authorization` (PROTOCOL.md 1.3). */
export async function authorizedMerchant(service: Service, context: Context<AppEnv>): Promise<Merchant> {
  const key = context.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (key === undefined || key === '')
    throw problem('UNAUTHENTICATED', 'The header Authorization is missing. Send the API key.')
  const hash = hashSecret(key)
  const database = await service.database()
  const [row] = await database
    .select({
      merchant: merchantColumns,
      keyHash: apiKeys.keyHash,
      scope: apiKeys.scope,
      ips: apiKeys.ips,
      disabled: apiKeys.disabled,
    })
    .from(apiKeys)
    .innerJoin(merchants, eq(merchants.merchantId, apiKeys.merchantId))
    .where(eq(apiKeys.keyId, hash.slice(0, keyIdLength)))
  const known = row !== undefined && timingSafeEqual(Buffer.from(row.keyHash), Buffer.from(hash))
  if (!known || row.disabled) throw problem('UNAUTHENTICATED', 'The API key is unknown or disabled.')
  if (row.ips.length > 0 && !isInNetworks(clientAddress(context), row.ips))
    throw problem('FORBIDDEN', 'The API key does not work from this address.')
  if (row.scope !== null && !mayUse(row.scope, { method: context.req.method, path: context.req.path }))
    throw problem('FORBIDDEN', `The API key's scope ${row.scope} does not cover this call. Use another key.`)
  context.set('merchantId', row.merchant.merchantId)
  return row.merchant
}

export async function findMerchant(service: Service, merchantId: string): Promise<Merchant | undefined> {
  if (orderIdProblem(merchantId) !== undefined) return undefined
  const database = await service.database()
  const [row] = await database
    .select(merchantColumns)
    .from(merchants)
    .where(eq(merchants.merchantId, merchantId))
  return row
}

export function unknownMerchant(merchantId: string) {
  return problem('NOT_FOUND', `Merchant ${showValue(merchantId)} does not exist.`)
}
