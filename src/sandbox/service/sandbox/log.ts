import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { affordancesOf } from './affordancesOf.ts'

/** `GET /sandbox/log?limit=`: the requests that were answered last, the newest first (PROTOCOL.md 2.10). */
export const log: Route = {
  method: 'GET',
  path: '/sandbox/log',
  handle: (service, context) => {
    const limit = context.req.query('limit') ?? '100'
    if (!/^[1-9]\d{0,3}$/.test(limit))
      throw problem('INVALID_REQUEST', 'limit must be a whole number from 1 to 9999.', { issues: ['limit'] })
    return { requests: affordancesOf(service).log.list(Number(limit)) }
  },
}
