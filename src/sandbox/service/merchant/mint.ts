import type { Route } from '../http/route.ts'
import { queueJob } from './queueJob.ts'

/** `POST /api/merchant/credits/mint` (PROTOCOL.md 2.7): credits for a wallet. */
export const mint: Route = {
  method: 'POST',
  path: '/api/merchant/credits/mint',
  handle: (service, context) => queueJob(service, context, 'mint'),
}
