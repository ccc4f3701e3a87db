import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { pinnedPlaces } from '../../../store/tables/index.ts'
import { checkStorable } from '../../http/checkStorable.ts'
import { authorizedMerchant } from '../../http/merchant.ts'
import { readBody } from '../../http/readBody.ts'
import type { Route } from '../../http/route.ts'

const customerPlaceBody = z.strictObject({
  userId: z.string().check(z.minLength(1), z.maxLength(256)),
  /** Null: nowhere yet, so that the next coordinates count. */
  country: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/, 'expected a country as two capital letters'))),
  state: z.optional(z.string().check(z.regex(/^[A-Z0-9]{1,3}$/, 'expected a state as in ISO 3166-2'))),
})

/** `POST /sandbox/customer-place`: pins a user of the merchant to a place, or to none (PROTOCOL.md 2.10). */
export const customerPlace: Route = {
  method: 'POST',
  path: '/sandbox/customer-place',
  handle: async (service, context) => {
    const body = await readBody(context, customerPlaceBody)
    checkStorable(body)
    const { userId, country, state = null } = body
    const { merchantId } = await authorizedMerchant(service, context)
    const customer = `user:${userId}`
    const database = await service.database()
    if (country === null)
      await database
        .delete(pinnedPlaces)
        .where(and(eq(pinnedPlaces.merchantId, merchantId), eq(pinnedPlaces.customer, customer)))
    else
      await database
        .insert(pinnedPlaces)
        .values({ merchantId, customer, country, state, createdAt: new Date(service.now()) })
        .onConflictDoUpdate({
          target: [pinnedPlaces.merchantId, pinnedPlaces.customer],
          set: { country, state },
        })
    return {}
  },
}
