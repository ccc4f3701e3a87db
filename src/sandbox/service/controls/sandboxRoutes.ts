import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { Route } from '../http/route.ts'
import { clock, clockMove } from './clock.ts'
import { fault, faultClear, faultList, sandboxControlsOf } from './faultRoutes.ts'

const logQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'expected a whole number from 1 to 9999'))),
})

/** `GET /sandbox/log?limit=`: the latest requests, newest first (PROTOCOL.md 2.10). */
const log: Route = {
  method: 'GET',
  path: '/sandbox/log',
  handle: (service, context) => {
    const { limit = '100' } = parseRecord(logQuery, context.req.query(), { record: 'The query' })
    return { requests: sandboxControlsOf(service).log.list(Number(limit)) }
  },
}

/** The developer's controls (PROTOCOL.md 2.10). */
export const sandboxRoutes: readonly Route[] = [clock, clockMove, fault, faultList, faultClear, log]
