import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../store/database.ts'
import { pinnedPlaces } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { placeOfCoordinates } from './placeOfCoordinates.ts'
import type { Place } from './sandboxAddresses.ts'

/** Who a place is pinned for. */
export type PlacedCustomer = Pick<CheckoutCustomer, 'merchant' | 'userId' | 'wallet' | 'blockchain'>

/**
 * Where a customer of a merchant was when they first said so, whatever they say now (PROTOCOL.md 10.7).
 *
 * @param options.at by the service's clock
 * @returns undefined when they never said so, or were nowhere on land
 */
export async function pinPlace(
  database: Database,
  options: { customer: PlacedCustomer; userLocation: { lat: number; lng: number } | undefined; at: Date },
): Promise<Place | undefined> {
  const { customer, userLocation, at } = options
  const row = pinOf(customer)
  if (row === undefined) return userLocation && placeOfCoordinates(userLocation)
  const isIt = and(eq(pinnedPlaces.merchantId, row.merchantId), eq(pinnedPlaces.customer, row.customer))
  const read = async () => (await database.select().from(pinnedPlaces).where(isIt))[0]
  const pinned = await read()
  if (pinned !== undefined || userLocation === undefined) return pinned
  const place = await placeOfCoordinates(userLocation)
  if (place === undefined) return undefined
  await database
    .insert(pinnedPlaces)
    .values({ ...row, ...place, createdAt: at })
    .onConflictDoNothing()
  // Of two first ones at once, the one that was written counts for both.
  return read()
}

/** Which row is a customer's; undefined for a customer without any name. */
function pinOf(customer: PlacedCustomer): { merchantId: string; customer: string } | undefined {
  const { merchant, userId, wallet, blockchain } = customer
  const { merchantId } = merchant
  if (userId !== undefined) return { merchantId, customer: `user:${userId}` }
  return wallet === undefined ? undefined : { merchantId, customer: `wallet:${blockchain}:${wallet}` }
}
