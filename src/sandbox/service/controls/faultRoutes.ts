import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { AppEnv, Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { type Fault, faultBody } from './faults.ts'
import type { SandboxControls } from './sandboxControls.ts'

/** Routes of sandboxControls are served only where there are any. */
export function sandboxControlsOf({ sandboxControls }: Pick<Service, 'sandboxControls'>): SandboxControls {
  if (sandboxControls !== undefined) return sandboxControls
  throw problem('NOT_FOUND', 'There is no such path.')
}

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
    const { faultId } = sandboxControlsOf(service).faults.add(body)
    return { faultId }
  },
}

/** `GET /sandbox/fault`: the faults that are on, with how often each has struck. */
export const faultList: Route = {
  method: 'GET',
  path: '/sandbox/fault',
  handle: (service) => ({ faults: sandboxControlsOf(service).faults.list() }),
}

const clearBody = z.strictObject({ faultId: z.optional(z.string()) })

/** `POST /sandbox/fault/clear`: switches one off, or all. */
export const faultClear: Route = {
  method: 'POST',
  path: '/sandbox/fault/clear',
  handle: async (service, context) => {
    const { faultId } = await readBody(context, clearBody)
    const wasThere = sandboxControlsOf(service).faults.clear(faultId)
    if (faultId !== undefined && !wasThere) throw problem('NOT_FOUND', 'There is no such fault.')
    return {}
  },
}

/** Lets the fault that strikes this request happen, if there is one. */
export async function applyFault(
  service: Service,
  context: Context<AppEnv>,
  next: () => Promise<void>,
): Promise<void> {
  const { method, path } = context.req
  const fault = service.sandboxControls?.faults.strike({ method, path })
  if (fault === undefined) return next()
  const { kind } = fault
  const executes = kind === 'slow' || (fault.executes ?? kind === 'lost')
  if (kind === 'slow') await wait(fault.delayMs)
  if (executes) await next()
  if (kind === 'slow') return
  // In the place of the answer that is there, when there is one.
  context.res = kind === 'lost' ? lostAnswer(context) : statusAnswer(context, fault)
}

/** Breaks the connection; without one, the body of the answer breaks. */
function lostAnswer(context: Context<AppEnv>): Response {
  // Node's server hands its request over.
  const env: { incoming?: { socket?: { destroy?: () => void } } } | undefined = context.env
  const socket = env?.incoming?.socket
  if (socket !== undefined) {
    socket.destroy?.()
    return new Response(null)
  }
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error('The answer was lost.')),
  })
  return new Response(body, { status: 200 })
}

function statusAnswer(context: Context<AppEnv>, fault: Fault): Response {
  const words = 'A fault that was switched on under /sandbox/fault.'
  const { status } = fault
  if (status === 402) throw problem('CARD_DECLINED', words, { details: { reason: 'declined' } })
  if (status === 429)
    throw problem('RATE_LIMITED', words, { retryAfterSeconds: fault.retryAfterSeconds ?? 1 })
  if (status === 451) {
    const { origin } = new URL(context.req.url)
    throw problem('VERIFICATION_REQUIRED', words, {
      details: { verificationLink: `${origin}/health`, redirectLink: `${origin}/health` },
    })
  }
  if (status === 500) throw problem('INTERNAL', words)
  if (status === 503) throw problem('UNAVAILABLE', words)
  // As a proxy in between answers.
  return new Response(`<html><body><h1>${status}</h1></body></html>`, {
    status: status ?? 502,
    headers: { 'content-type': 'text/html' },
  })
}
