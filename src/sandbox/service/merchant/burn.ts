import type { Route } from '../http/route.ts'
import { queueJob } from './queueJob.ts'

/**
 * `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7): takes credits of the merchant's from a wallet. The contract pays the USDC
 * behind them to that wallet, and to no other.
 */
export const burn: Route = {
  method: 'POST',
  path: '/api/merchant/credits/burn',
  handle: (service, context) => queueJob(service, context, 'burn'),
}
