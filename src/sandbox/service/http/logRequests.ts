import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { RequestLogEntry } from '../../requestLog.ts'
import type { Service } from '../service.ts'
import { isOwnRequest } from './checkCaller.ts'
import type { AppEnv } from './route.ts'

/**
 * Assigns each request an id and logs it once answered. The id is always the service's own, so no two responses share one; the
 * caller's is logged beside it.
 */
export function logRequests(service: Service, paths: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomUUID()
    context.set('requestId', id)
    await next()
    context.res.headers.set('x-request-id', id)
    context.res.headers.set('cache-control', 'no-store')
    // The dashboard polls every few seconds; these requests would hide the others.
    if (isOwnRequest(context) && context.req.method === 'GET') return
    const callerId = context.req.header('x-request-id')
    const merchantId = context.get('merchantId')
    const code = context.get('code')
    const entry: RequestLogEntry = {
      time: new Date(service.now()).toISOString(),
      id,
      ...(callerId !== undefined && /^[\w.:-]{1,64}$/.test(callerId) && { callerId }),
      method: context.req.method,
      route: routeOf(context, paths),
      status: context.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
      ...(merchantId !== undefined && { merchantId }),
      ...(code !== undefined && { code }),
    }
    service.sandboxControls?.log.add(entry)
    try {
      service.onLog?.(entry)
    } catch (error) {
      // A failing log listener must not affect the response.
      service.onError?.(error, { requestId: id })
    }
  }
}

function routeOf(context: Context<AppEnv>, paths: ReadonlySet<string>): string | null {
  const found = context.req.matchedRoutes.find(({ path }) => paths.has(path))
  return found?.path ?? null
}
