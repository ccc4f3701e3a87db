import * as z from 'zod/mini'
import { anyAddress, blockchain } from './values.ts'

/** Query of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). */
export const contractAddressQuery = z.strictObject({
  blockchain,
  /** A timestamp that React Native's fetch (whatwg-fetch) appends for `cache: 'no-store'`. Ignored. */
  _: z.optional(z.string()),
})
export type ContractAddressQuery = z.infer<typeof contractAddressQuery>

/** Response of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). For discovery only: it does not make an address trusted. */
export const contractAddressResponse = z.strictObject({ address: anyAddress })
export type ContractAddressResponse = z.infer<typeof contractAddressResponse>
