import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { applyFault } from '../controls/faultRoutes.ts'
import type { Service } from '../service.ts'
import { answerError } from './answerError.ts'
import { checkCaller, checkHeaders, checkLocalCaller, checkRate, isOwnRequest } from './checkCaller.ts'
import { logRequests } from './logRequests.ts'
import { problem, withoutCardNumbers } from './problem.ts'
import { rateLimiter } from './rateLimiter.ts'
import type { AppEnv, Route } from './route.ts'

/**
 * Creates the HTTP application: request ids and log, access and rate checks, CORS, and JSON errors, also for unknown paths and
 * methods (PROTOCOL.md 1.5).
 */
export function createApp(service: Service, allRoutes: readonly Route[]): Hono<AppEnv> {
  const routes = allRoutes.filter(
    (route) => service.sandboxControls !== undefined || !isSandboxControl(route),
  )
  const app = new Hono<AppEnv>()
  app.onError((cause, context) => {
    const error = withoutCardNumbers(cause)
    service.onError?.(error, { requestId: context.get('requestId') })
    return answerError(context, error, service.kind)
  })
  app.notFound((context) =>
    answerError(
      context,
      problem(
        'NOT_FOUND',
        'The path does not exist. Paths start with /api or, for the sandbox controls, with /sandbox, and do not end with a slash.',
      ),
      service.kind,
    ),
  )
  app.use(logRequests(service, new Set(routes.map(({ path }) => path))))
  const { rateLimit } = service.settings
  const take = rateLimit && rateLimiter(rateLimit, service.now)
  app.use(async (context, next) => {
    checkCaller(service.settings, context)
    checkHeaders(context)
    if (take !== undefined && !isOwnRequest(context)) checkRate(service, context, take)
    await next()
  })
  // There are no cookies, and unwanted callers were refused above. Without `allowHeaders`, every requested header is allowed:
  // pages also send headers of other services.
  app.use(
    cors({
      origin: (origin) => origin,
      allowMethods: ['GET', 'POST'],
      exposeHeaders: ['x-request-id', 'retry-after'],
      maxAge: 600,
    }),
  )
  app.use(async (_, next) => {
    await service.hearClock()
    await next()
  })
  app.use((context, next) => (isOwnRequest(context) ? next() : applyFault(service, context, next)))
  addRoutes(app, service, routes)
  return app
}

function addRoutes(app: Hono<AppEnv>, service: Service, routes: readonly Route[]): void {
  const methods = new Map<string, string[]>()
  for (const route of routes) {
    const { method, alsoAs, path, handle } = route
    const taken = alsoAs === undefined ? [method] : [method, alsoAs]
    methods.set(path, [...(methods.get(path) ?? []), ...taken])
    app.on(taken, path, async (context) => {
      if (isSandboxControl(route)) checkLocalCaller(context)
      const answer = await handle(service, context)
      // A page, not JSON.
      if (answer instanceof Response) return answer
      // Deployed services send no body where there is no data.
      if (service.kind === 'randomNonce' && !Array.isArray(answer) && Object.keys(answer).length === 0)
        return context.body(null)
      return context.json(answer)
    })
  }
  for (const [path, allowed] of methods)
    app.all(path, (context) => {
      const response = answerError(
        context,
        problem('METHOD_NOT_ALLOWED', `This path accepts only ${allowed.join(' and ')}.`),
        service.kind,
      )
      response.headers.set('allow', allowed.join(', '))
      return response
    })
}

/** USDC transfers are under `/sandbox` too, but customers call them. */
function isSandboxControl({ path }: Route): boolean {
  return path.startsWith('/sandbox/') && !path.startsWith('/sandbox/usdc-transfer')
}
