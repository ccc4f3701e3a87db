import type { Merchant } from '../../http/merchant.ts'
import type { Place } from './sandboxAddresses.ts'

/** Refused unless a merchant says otherwise. */
const defaultBlockedPlaces: readonly string[] = ['CU', 'IR', 'KP']

/** The places whose customers a merchant refuses: `KP`, or `US-NY`. */
export function blockedPlaces(merchant: Merchant): readonly string[] {
  return merchant.settings.blockedPlaces ?? defaultBlockedPlaces
}

/** Whether a merchant refuses customers from there. */
export function isBlocked(merchant: Merchant, { country, state }: Place): boolean {
  return blockedPlaces(merchant).some(
    (place) => place === country || (state !== null && place === `${country}-${state}`),
  )
}
