import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Service } from '../service.ts'
import { answerError } from './answerError.ts'
import { problem } from './problem.ts'
import type { AppEnv, Route } from './route.ts'

/**
 * The HTTP application over a list of routes: request ids, CORS, typed JSON errors also for unknown paths and methods.
 */
export function createApp(service: Service, routes: readonly Route[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.onError((error, context) => {
    service.onError?.(error, { requestId: context.get('requestId') })
    return answerError(context, error, service.kind)
  })
  app.notFound((context) =>
    answerError(
      context,
      problem('NOT_FOUND', 'There is no such path. Every path starts with /api.'),
      service.kind,
    ),
  )
  app.use(async (context, next) => {
    const requestId = randomUUID()
    context.set('requestId', requestId)
    await next()
    context.res.headers.set('x-request-id', requestId)
    context.res.headers.set('cache-control', 'no-store')
  })
  // A dApp on another port of this machine is another origin. No cookies are involved, so any origin may ask, with any
  // headers: pages send some that only other services read. Without `allowHeaders`, what was asked for is allowed.
  app.use(
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST'],
      exposeHeaders: ['x-request-id', 'retry-after'],
      maxAge: 600,
    }),
  )
  const methods = new Map<string, string[]>()
  for (const { method, path, handle } of routes) {
    methods.set(path, [...(methods.get(path) ?? []), method])
    app.on(method, path, async (context) => {
      const answer = await handle(service, context)
      // Services in the field send no body where there is nothing to say.
      if (service.kind === 'unbound' && Object.keys(answer).length === 0) return context.body(null)
      return context.json(answer)
    })
  }
  for (const [path, allowed] of methods)
    app.all(path, (context) => {
      context.header('allow', allowed.join(', '))
      const response = answerError(
        context,
        problem('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(' and ')} only.`),
        service.kind,
      )
      response.headers.set('allow', allowed.join(', '))
      return response
    })
  return app
}
