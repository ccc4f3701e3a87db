import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { clock, clockMove } from './clock.ts'
import { type Fault, faultBody, sandboxControlsOf } from './sandboxControls.ts'

const fault = route('POST', '/sandbox/fault', async (service, context) => {
  const body = await readBody(context, faultBody)
  for (const [kind, field] of [
    ['slow', 'delayMs'],
    ['status', 'status'],
  ] as const)
    if ((body.kind === kind) !== (body[field] !== undefined))
      throw invalid(
        field,
        body.kind === kind
          ? `A fault of kind ${kind} requires ${field}.`
          : `${field} is only for faults of kind ${kind}.`,
      )
  const { faultId } = sandboxControlsOf(service).faults.add(body)
  return { faultId }
})

const faultList = route('GET', '/sandbox/fault', (service) => ({
  faults: sandboxControlsOf(service).faults.list(),
}))

const clearBody = z.strictObject({ faultId: z.optional(z.string()) })

const faultClear = route('POST', '/sandbox/fault/clear', async (service, context) => {
  const { faultId } = await readBody(context, clearBody)
  const wasThere = sandboxControlsOf(service).faults.clear(faultId)
  if (faultId !== undefined && !wasThere) throw problem('NOT_FOUND', 'No active fault has this id.')
  return {}
})

const logQuery = z.strictObject({
  limit: z.optional(z.string().check(z.regex(/^[1-9]\d{0,3}$/, 'expected a whole number from 1 to 9999'))),
})

const log = route('GET', '/sandbox/log', (service, context) => {
  const { limit = '100' } = parseRecord(logQuery, context.req.query(), { record: 'The query' })
  return { requests: sandboxControlsOf(service).log.list(Number(limit)) }
})

/** The routes of the sandbox controls (PROTOCOL.md 2.10). */
export const sandboxRoutes: readonly Route[] = [clock, clockMove, fault, faultList, faultClear, log]

export async function applyFault(
  service: Service,
  context: Context<AppEnv>,
  next: () => Promise<void>,
): Promise<void> {
  const { method, path } = context.req
  const fault = service.sandboxControls?.faults.trigger({ method, path })
  if (fault === undefined) return next()
  return effects[fault.kind](fault, context, next)
}

type Effect = (fault: Fault, context: Context<AppEnv>, next: () => Promise<void>) => Promise<void>

/** The effect of each kind of fault. `lost` and `status` replace the response of a request that was executed. */
const effects: Record<Fault['kind'], Effect> = {
  slow: async ({ delayMs }, _, next) => {
    await wait(delayMs)
    await next()
  },
  lost: async ({ executes = true }, context, next) => {
    if (executes) await next()
    context.res = lostAnswer(context)
  },
  status: async (fault, context, next) => {
    if (fault.executes) await next()
    context.res = statusAnswer(context, fault)
  },
}

/** Breaks the connection or, without a socket, the response's body. */
function lostAnswer(context: Context<AppEnv>): Response {
  // Node's server passes its request object.
  const env: { incoming?: { socket?: { destroy?: () => void } } } | undefined = context.env
  const socket = env?.incoming?.socket
  if (socket !== undefined) {
    socket.destroy?.()
    return new Response(null)
  }
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error('The response was lost.')),
  })
  return new Response(body, { status: 200 })
}

function statusAnswer(context: Context<AppEnv>, fault: Fault): Response {
  const text = 'POST /sandbox/fault triggered this error.'
  const { status } = fault
  if (status === 402) throw problem('CARD_DECLINED', text, { details: { reason: 'declined' } })
  if (status === 429) throw problem('RATE_LIMITED', text, { retryAfterSeconds: fault.retryAfterSeconds ?? 1 })
  if (status === 451) {
    const { origin } = new URL(context.req.url)
    throw problem('VERIFICATION_REQUIRED', text, {
      details: { verificationLink: `${origin}/health`, redirectLink: `${origin}/health` },
    })
  }
  if (status === 500) throw problem('INTERNAL', text)
  if (status === 503) throw problem('UNAVAILABLE', text)
  // Responds like a proxy between client and service.
  return new Response(`<html><body><h1>${status}</h1></body></html>`, {
    status: status ?? 502,
    headers: { 'content-type': 'text/html' },
  })
}
