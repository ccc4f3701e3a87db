import { createRequire } from 'node:module'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { isInNetworks } from '../../servers/networks.ts'
import type { Database } from '../../store/database.ts'
import { pinnedPlaces, withdrawers } from '../../store/tables/index.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { maxUserIdLength } from '../http/customer.ts'
import { authorizedMerchant, type Merchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { route } from '../http/route.ts'
import type { Service } from '../service.ts'

/** Blocked for merchants that have not set any places. */
const defaultBlockedPlaces: readonly string[] = ['CU', 'IR', 'KP']

export function blockedPlaces(merchant: Merchant): readonly string[] {
  return merchant.settings.blockedPlaces ?? defaultBlockedPlaces
}

export function isBlocked(merchant: Merchant, { country, state }: Place): boolean {
  return blockedPlaces(merchant).some(
    (place) => place === country || (state !== null && place === `${country}-${state}`),
  )
}

/** A country (ISO 3166-1 alpha-2) and, if known, its state (ISO 3166-2 without the country). */
type Place = { country: string; state: string | null }

/**
 * Test addresses by place: halves of the RFC 5737 documentation networks. All other addresses have no known place and are
 * never rejected.
 */
export const sandboxAddresses = {
  '192.0.2.0/25': { country: 'US', state: 'NY' },
  '192.0.2.128/25': { country: 'US', state: 'WA' },
  '198.51.100.0/25': { country: 'DE', state: null },
  '198.51.100.128/25': { country: 'GB', state: null },
  '203.0.113.0/25': { country: 'KP', state: null },
  '203.0.113.128/25': { country: 'IR', state: null },
} as const satisfies Record<string, Place>

function placeOfAddress(address: string): Place | undefined {
  const found = Object.entries(sandboxAddresses).find(([network]) => isInNetworks(address, [network]))
  return found?.[1]
}

/** Returns the country at a point, in the US with its state; undefined at sea. */
async function placeOfCoordinates(point: { lat: number; lng: number }): Promise<Place | undefined> {
  const { lat, lng } = point
  // The library loads the world's borders on first use.
  const { iso1A2Code } = await import('@rapideditor/country-coder')
  const country = iso1A2Code([lng, lat])
  if (country === null) return undefined
  return { country, state: country === 'US' ? (stateOfPoint(point) ?? null) : null }
}

type PlacedCustomer = Pick<CheckoutCustomer, 'merchant' | 'userId' | 'wallet' | 'blockchain'>

/**
 * Returns the place that the customer reported first, even if they now report another (PROTOCOL.md 10.7). Returns undefined if no
 * place on land was reported.
 */
async function pinPlace(
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
  // Two requests may store a place concurrently; the one stored first applies to both.
  return read()
}

/** Returns undefined without user id and wallet. */
function pinOf(customer: PlacedCustomer): { merchantId: string; customer: string } | undefined {
  const { merchant, userId, wallet, blockchain } = customer
  const { merchantId } = merchant
  if (userId !== undefined) return { merchantId, customer: `user:${userId}` }
  return wallet === undefined ? undefined : { merchantId, customer: `wallet:${blockchain}:${wallet}` }
}

const customerPlaceBody = z.strictObject({
  userId: z.string().check(z.minLength(1), z.maxLength(maxUserIdLength)),
  /** Null clears the place, so that the next reported coordinates set it again. */
  country: z.nullable(
    z.string().check(z.regex(/^[A-Z]{2}$/, 'expected a country code of two capital letters')),
  ),
  state: z.optional(z.string().check(z.regex(/^[A-Z0-9]{1,3}$/, 'expected an ISO 3166-2 state code'))),
})

/** `POST /sandbox/customer-place`: pins a user to a place, or clears it (PROTOCOL.md 2.10). */
export const customerPlace = route('POST', '/sandbox/customer-place', async (service, context) => {
  const body = await readBody(context, customerPlaceBody)
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
})

/** Checks the first reported place and the IP address (PROTOCOL.md 10.7). A withdrawer's exemption applies to both. */
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

export function geoBlocked({ country, state }: Place, by: 'geolocation' | 'ip' | 'kycAddress') {
  const place = state === null ? country : `${country}-${state}`
  return problem('GEO_BLOCKED', `The merchant does not serve customers from ${place}.`, {
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

/** A point on land, in degrees. */
type Point = { lat: number; lng: number }

/** The parts of a TopoJSON file (TopoJSON format specification 1.0) that the states use. */
type Topology = {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { states: { geometries: StateShape[] } }
}
type StateShape =
  | { type: 'Polygon'; id: string; arcs: number[][] }
  | { type: 'MultiPolygon'; id: string; arcs: number[][][] }

/** Postal codes (as in ISO 3166-2:US) by FIPS 5-2 number, which identifies a state in data of the Census Bureau. */
const postalCodes = new Map(
  `01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN
  28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA
  54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

let topology: Topology | undefined

/** Returns the US state or territory at a point, by the Census Bureau's borders; undefined elsewhere. */
export function stateOfPoint(point: Point): string | undefined {
  // Read on first use. The dependency ships this file in a fixed format.
  topology ??= createRequire(import.meta.url)('us-atlas/states-10m.json') as Topology
  const known = topology
  const found = known.objects.states.geometries.find((state) => {
    const rings = state.type === 'Polygon' ? state.arcs : state.arcs.flat()
    return rings.filter((arcs) => crossings(known, arcs, point) % 2 === 1).length % 2 === 1
  })
  return found && postalCodes.get(found.id)
}

/** Counts how often a line from the point to the east crosses a ring. An odd count means that the point is inside. */
function crossings({ arcs, transform }: Topology, ring: readonly number[], { lat, lng }: Point): number {
  const { scale, translate } = transform
  const x = (lng - translate[0]) / scale[0]
  const y = (lat - translate[1]) / scale[1]
  let count = 0
  for (const index of ring) {
    // ~index is the same arc in reverse, which has the same crossings. Each point is relative to the previous one.
    let [fromX, fromY] = [0, 0]
    for (const [position, [dx, dy]] of (arcs[index < 0 ? ~index : index] ?? []).entries()) {
      const [toX, toY] = [fromX + dx, fromY + dy]
      const isCrossed = position > 0 && fromY > y !== toY > y
      if (isCrossed && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY)) count++
      ;[fromX, fromY] = [toX, toY]
    }
  }
  return count
}
