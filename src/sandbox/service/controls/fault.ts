import * as z from 'zod/mini'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { affordancesOf } from './affordancesOf.ts'
import { faultBody } from './faultBody.ts'

/** `POST /sandbox/fault`: switches a fault on (PROTOCOL.md 2.10). */
export const fault: Route = {
  method: 'POST',
  path: '/sandbox/fault',
  handle: async (service, context) => {
    const body = await readBody(context, faultBody)
    for (const [kind, field] of [
      ['slow', 'delayMs'],
      ['status', 'status'],
    ] as const)
      if ((body.kind === kind) !== (body[field] !== undefined))
        throw problem(
          'INVALID_REQUEST',
          body.kind === kind
            ? `A fault of kind ${kind} needs ${field}.`
            : `${field} belongs to a fault of kind ${kind}, and to no other.`,
          { issues: [field] },
        )
    const { faultId } = affordancesOf(service).faults.add(body)
    return { faultId }
  },
}

/** `GET /sandbox/fault`: the faults that are on, with how often each has struck. */
export const faultList: Route = {
  method: 'GET',
  path: '/sandbox/fault',
  handle: (service) => ({ faults: affordancesOf(service).faults.list() }),
}

const clearBody = z.strictObject({ faultId: z.optional(z.string()) })

/** `POST /sandbox/fault/clear`: switches one off, or all. */
export const faultClear: Route = {
  method: 'POST',
  path: '/sandbox/fault/clear',
  handle: async (service, context) => {
    const { faultId } = await readBody(context, clearBody)
    const wasThere = affordancesOf(service).faults.clear(faultId)
    if (faultId !== undefined && !wasThere) throw problem('NOT_FOUND', 'There is no such fault.')
    return {}
  },
}
