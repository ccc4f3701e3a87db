import * as z from 'zod/mini'
import { anyAddress, blockchain } from './values.ts'

/** Query of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). */
export const contractAddressQuery = z.strictObject({
  blockchain,
  /** Ignored. React Native's fetch (whatwg-fetch) adds this parameter, with a timestamp, for `cache: 'no-store'`. */
  _: z.optional(z.string()),
})
export type ContractAddressQuery = z.infer<typeof contractAddressQuery>

/** Response of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). For discovery only: the response does not prove the address. */
export const contractAddressResponse = z.strictObject({ address: anyAddress })
export type ContractAddressResponse = z.infer<typeof contractAddressResponse>
