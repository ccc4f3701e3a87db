import * as z from 'zod/mini'
import { cents } from './subtotal.ts'

/** Answer of `GET /api/customer/balances/{merchantIdOrCreditSeed}` (PROTOCOL.md 2.5): US cents. */
export const balancesResponse = z.strictObject({ credits: cents, usdc: cents })
export type BalancesResponse = z.infer<typeof balancesResponse>
