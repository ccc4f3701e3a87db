import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { RequestLogEntry } from '../../requestLog.ts'
import type { Service } from '../service.ts'
import { isOwnRequest } from './isOwnRequest.ts'
import type { AppEnv } from './route.ts'

/**
 * Gives each request its id, and tells the log of it once it is answered.
 *
 * The id is always the service's own, so that no two answers share one; a caller's is noted beside it.
 */
export function logRequests(service: Service, paths: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomUUID()
    context.set('requestId', id)
    await next()
    context.res.headers.set('x-request-id', id)
    context.res.headers.set('cache-control', 'no-store')
    // Asked for every few seconds, and of no interest to whoever looks for what others asked.
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
    service.affordances?.log.add(entry)
    try {
      service.onLog?.(entry)
    } catch (error) {
      // Whoever listens keeps nobody from an answer.
      service.onError?.(error, { requestId: id })
    }
  }
}

function routeOf(context: Context<AppEnv>, paths: ReadonlySet<string>): string | null {
  const found = context.req.matchedRoutes.find(({ path }) => paths.has(path))
  return found?.path ?? null
}
