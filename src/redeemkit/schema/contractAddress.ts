import * as z from 'zod/mini'
import { anyAddress, blockchain } from './values.ts'

/** Query of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). */
export const contractAddressQuery = z.strictObject({
  blockchain,
  /** The time, which React Native's fetch (whatwg-fetch) appends where a client asks for no cache. Means nothing. */
  _: z.optional(z.string()),
})
export type ContractAddressQuery = z.infer<typeof contractAddressQuery>

/**
 * Answer of `GET /api/utils/contract-address` (PROTOCOL.md 2.5): discovery only, it never makes an address
 * trusted.
 */
export const contractAddressResponse = z.strictObject({ address: anyAddress })
export type ContractAddressResponse = z.infer<typeof contractAddressResponse>
