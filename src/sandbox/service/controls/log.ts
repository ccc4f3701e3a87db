import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { Route } from '../http/route.ts'
import { affordancesOf } from './affordancesOf.ts'

const logQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'expected a whole number from 1 to 9999'))),
})

/** `GET /sandbox/log?limit=`: the requests that were answered last, the newest first (PROTOCOL.md 2.10). */
export const log: Route = {
  method: 'GET',
  path: '/sandbox/log',
  handle: (service, context) => {
    const { limit = '100' } = parseRecord(logQuery, context.req.query(), { record: 'The query' })
    return { requests: affordancesOf(service).log.list(Number(limit)) }
  },
}
