import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../store/database.ts'
import { withdrawers } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem } from '../../http/problem.ts'
import type { Service } from '../../service.ts'
import { isBlocked } from './blockedPlaces.ts'
import { pinPlace } from './pinPlace.ts'
import { type Place, placeOfAddress } from './sandboxAddresses.ts'

/**
 * Refuses customers from places that their merchant blocks (PROTOCOL.md 10.7): by where they first said that they are, and by the IP
 * address that came along. An exemption of the withdrawer's covers both.
 *
 * @param options.userLocation as the body has it
 * @throws a 403 `GEO_BLOCKED`
 */
export async function checkPlace(
  service: Service,
  options: { customer: CheckoutCustomer; userLocation?: { lat: number; lng: number } | undefined },
): Promise<void> {
  const { customer, userLocation } = options
  const database = await service.database()
  const at = new Date(service.now())
  const pinned = await pinPlace(database, { customer, userLocation, at })
  const ofAddress = customer.clientIp === undefined ? undefined : placeOfAddress(customer.clientIp)
  const places = [['geolocation', pinned] as const, ['ip', ofAddress] as const]
  for (const [by, place] of places) {
    if (place === undefined || !isBlocked(customer.merchant, place)) continue
    if (await isExempt(database, { customer, at })) return
    throw geoBlocked(place, by)
  }
}

/** The answer to a customer from a place that is blocked. */
export function geoBlocked({ country, state }: Place, by: 'geolocation' | 'ip' | 'kycAddress') {
  return problem('GEO_BLOCKED', `The merchant does not serve customers from ${country}.`, {
    details: { country, ...(state !== null && { state }), by },
  })
}

async function isExempt(
  database: Database,
  { customer, at }: { customer: CheckoutCustomer; at: Date },
): Promise<boolean> {
  const { merchant, userId } = customer
  if (userId === undefined) return false
  const [row] = await database
    .select({ override: withdrawers.geoBlockOverride })
    .from(withdrawers)
    .where(and(eq(withdrawers.merchantId, merchant.merchantId), eq(withdrawers.userId, userId)))
  if (!row?.override) return false
  const { expiresAt } = row.override
  return expiresAt === undefined || Date.parse(expiresAt) > at.getTime()
}
