import * as z from 'zod/mini'
import { anyAddress, blockchain } from './values.ts'

/** Query of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). */
export const contractAddressQuery = z.strictObject({
  blockchain,
  /** Ignored. For `cache: 'no-store'`, React Native's fetch (whatwg-fetch) appends a time under this name. */
  _: z.optional(z.string()),
})
export type ContractAddressQuery = z.infer<typeof contractAddressQuery>

/** Response of `GET /api/utils/contract-address` (PROTOCOL.md 2.5). For discovery only: it proves nothing about the address. */
export const contractAddressResponse = z.strictObject({ address: anyAddress })
export type ContractAddressResponse = z.infer<typeof contractAddressResponse>
