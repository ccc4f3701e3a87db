import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { showValue } from '../../../core/errors/showValue.ts'
import { hashSecret } from '../../store/hashSecret.ts'
import type { MerchantSettings } from '../../store/merchantSettings.ts'
import { merchants } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'
import { isStorableText } from './storableText.ts'

/** A merchant of the service. */
export type Merchant = { merchantId: string; creditSeed: string; settings: MerchantSettings }

/** The merchant whose API key came in `Authorization`. */
export async function authorizedMerchant(service: Service, context: Context<AppEnv>): Promise<Merchant> {
  const key = context.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (key === undefined || key === '')
    throw problem('UNAUTHENTICATED', 'Header Authorization is missing: this call needs the API key.')
  const database = await service.database()
  const [row] = await database
    .select()
    .from(merchants)
    .where(eq(merchants.apiKeyHash, hashSecret(key)))
  if (row === undefined) throw problem('UNAUTHENTICATED', 'The API key is not known.')
  return row
}

/** A merchant by its id. */
export async function findMerchant(service: Service, merchantId: string): Promise<Merchant | undefined> {
  if (!isStorableText(merchantId)) return undefined
  const database = await service.database()
  const [row] = await database.select().from(merchants).where(eq(merchants.merchantId, merchantId))
  return row
}

export function unknownMerchant(merchantId: string) {
  return problem('NOT_FOUND', `There is no merchant ${showValue(merchantId)}.`)
}
