import { randomUUID } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'
import type { ErrorBody } from '../../../redeemkit/schema/errorBody.ts'
import type { RequestLogEntry } from '../../requestLog.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { applyFault } from '../controls/sandboxRoutes.ts'
import { pulledTooMuch } from '../redeem/simulationProblem.ts'
import type { Service } from '../service.ts'
import {
  checkCaller,
  checkHeaders,
  checkLocalCaller,
  checkRate,
  checkUrl,
  isOwnRequest,
  rateLimiter,
} from './checkCaller.ts'
import { type Description, describeError, problem, ServiceProblem, withoutCardNumbers } from './problem.ts'
import type { AppEnv, Route } from './route.ts'

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
    checkUrl(context)
    if (take !== undefined && !isOwnRequest(context)) checkRate(service, context, take)
    await next()
  })
  // The service uses no cookies and has rejected unwanted callers above. Without `allowHeaders`, every requested header is allowed,
  // because pages also send headers of other services.
  const answerPages = cors({
    origin: (origin) => origin,
    allowMethods: ['GET', 'POST'],
    exposeHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
  })
  // Programs send no origin and need no CORS headers. Skipping them avoids a copy of the response in Hono.
  app.use((context, next) =>
    context.req.header('origin') === undefined ? next() : answerPages(context, next),
  )
  app.use(async (context, next) => {
    await service.hearClock()
    await (isOwnRequest(context) ? next() : applyFault(service, context, next))
  })
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
      if (answer instanceof Response) return answer
      // Deployed services send no body if it would be empty.
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

/** Excludes USDC transfers, which are under `/sandbox` too but are called by customers. */
function isSandboxControl({ path }: Route): boolean {
  return path.startsWith('/sandbox/') && !path.startsWith('/sandbox/usdc-transfer')
}

/** The service generates the id of each request, so that it is unique, and also logs the id that the caller sent. */
function logRequests(service: Service, paths: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const started = performance.now()
    const id = randomUUID()
    context.set('requestId', id)
    await next()
    context.res.headers.set('x-request-id', id)
    context.res.headers.set('cache-control', 'no-store')
    // The dashboard polls every few seconds, and its requests would hide the others.
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

/**
 * Responds with `{ name, message, code, details?, issues?, requestId }`. A service for permits with random nonces responds with
 * `{ message, details }` (PROTOCOL.md 4.6).
 */
function answerError(context: Context<AppEnv>, error: unknown, kind: ServiceKind): Response {
  const { code, message, issues, details } = describeError(error)
  context.set('code', code)
  const { status, name } = wireErrors[code]
  const body: ErrorBody | FieldErrorBody =
    kind === 'randomNonce'
      ? fieldErrorBody({ code, message, details })
      : {
          name,
          message,
          code,
          ...(details === undefined ? {} : { details }),
          ...(issues === undefined ? {} : { issues: [...issues] }),
          requestId: context.get('requestId'),
        }
  const headers = new Headers({ 'content-type': 'application/json' })
  if (error instanceof ServiceProblem && error.retryAfterSeconds !== undefined)
    headers.set('retry-after', String(error.retryAfterSeconds))
  // The rest of the body is unread, so the client must not reuse the connection.
  if (code === 'PAYLOAD_TOO_LARGE') headers.set('connection', 'close')
  return new Response(JSON.stringify(body), { status, headers })
}

/** The error format of deployed services (PROTOCOL.md 4.6 and 7.1). */
type FieldErrorBody = { message?: string; details?: string } & Record<string, unknown>

/** Builds the body of an error. Fields that a client needs to continue are at the top level, next to the text. */
function fieldErrorBody({ code, message, details }: Description): FieldErrorBody {
  const text = {
    message: 'Error Processing your request',
    details: details?.revertReason === pulledTooMuch ? pulledTooMuch : message,
  }
  if (code === 'CHALLENGE_REQUIRED') return { ...text, creq: '', ...details }
  if (code === 'VERIFICATION_REQUIRED') return { ...text, ...details }
  if (code === 'PAYMENT_METHOD_IN_USE') return { ...text, code }
  return details?.paymentId === undefined ? text : { ...text, paymentId: details.paymentId }
}
