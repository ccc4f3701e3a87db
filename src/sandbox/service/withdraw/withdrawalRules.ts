import { eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { placePattern } from '../../merchantOptions.ts'
import { merchants } from '../../store/tables/index.ts'
import { authorizedMerchant, type Merchant } from '../http/merchant.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { blockedPlaces } from './place.ts'

const path = '/sandbox/withdrawal-rules'

const rulesBody = z.strictObject({
  banDuplicateAccounts: z.optional(z.boolean()),
  blockedPlaces: z.optional(
    z.array(z.string().check(z.regex(placePattern, 'expected a country, or a state such as US-NY'))),
  ),
})

/** A merchant's rules for withdrawers and places, which a real service has in its dashboard (PROTOCOL.md 2.10). */
export const withdrawalRules: readonly Route[] = [
  {
    method: 'GET',
    path,
    handle: async (service, context) => rulesOf(await authorizedMerchant(service, context)),
  },
  {
    method: 'POST',
    path,
    handle: async (service, context) => {
      const changes = await readBody(context, rulesBody)
      const merchant = await authorizedMerchant(service, context)
      const database = await service.database()
      const [changed] = await database
        .update(merchants)
        // One statement, so that concurrent changes are merged.
        .set({ settings: sql`${merchants.settings} || ${JSON.stringify(changes)}::jsonb` })
        .where(eq(merchants.merchantId, merchant.merchantId))
        .returning({ settings: merchants.settings })
      return rulesOf({ ...merchant, ...changed })
    },
  },
]

function rulesOf(merchant: Merchant) {
  const { banDuplicateAccounts = false } = merchant.settings
  return { banDuplicateAccounts, blockedPlaces: blockedPlaces(merchant) }
}
