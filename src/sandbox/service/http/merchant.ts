import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { orderIdProblem } from '../../../redeemkit/core/orderId.ts'
import type { SandboxMerchantSettings } from '../../merchantOptions.ts'
import { hashSecret } from '../../store/hashSecret.ts'
import { keyIdLength } from '../../store/setMerchants.ts'
import { apiKeys, merchants } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { clientAddress } from './clientAddress.ts'
import { isInNetworks } from './isInNetworks.ts'
import { mayUse } from './keyRights.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** A merchant of the service. */
export type Merchant = {
  merchantId: string
  creditSeed: string
  /** No checkout without a checkout JWT. */
  enforceCheckoutJwt: boolean
  settings: SandboxMerchantSettings
}

const merchantColumns = {
  merchantId: merchants.merchantId,
  creditSeed: merchants.creditSeed,
  enforceCheckoutJwt: merchants.enforceCheckoutJwt,
  settings: merchants.settings,
}

/**
 * The merchant whose API key came in `Authorization` (PROTOCOL.md 1.3).
 *
 * @throws a 401 for a key that is missing, not known or disabled, a 403 for one whose scope or addresses do not cover this request
 */
export async function authorizedMerchant(service: Service, context: Context<AppEnv>): Promise<Merchant> {
  const key = context.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (key === undefined || key === '')
    throw problem('UNAUTHENTICATED', 'Header Authorization is missing: this call needs the API key.')
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
  if (!known || row.disabled) throw problem('UNAUTHENTICATED', 'The API key is not known, or it is disabled.')
  if (row.ips.length > 0 && !isInNetworks(clientAddress(context), row.ips))
    throw problem('FORBIDDEN', 'The API key does not work from this address.')
  if (row.scope !== null && !mayUse(row.scope, { method: context.req.method, path: context.req.path }))
    throw problem('FORBIDDEN', `The API key is for ${row.scope} only, which does not cover this call.`)
  context.set('merchantId', row.merchant.merchantId)
  return row.merchant
}

/** A merchant by its id. */
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
  return problem('NOT_FOUND', `There is no merchant ${showValue(merchantId)}.`)
}
