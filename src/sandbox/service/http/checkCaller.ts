import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { isForwarded, isOwnHost, isOwnPage } from '../../servers/findRefusal.ts'
import { isLoopback } from '../../servers/networks.ts'
import type { RateLimit, Service } from '../service.ts'
import { invalid, problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/** Returns undefined without a socket (`app.request`). Ignores headers, which clients can forge. */
export function clientAddress(context: Context<AppEnv>): string | undefined {
  // Servers other than Node's provide a different object or none.
  const env: { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined = context.env
  const address = env?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address.replace(/^::ffff:(?=\d+\.)/, '') : undefined
}

/** Counts a request against the limits of its IP address and of its API key or session key. */
export function checkRate(
  { headers }: Pick<Service, 'headers'>,
  context: Context<AppEnv>,
  take: (caller: string) => number,
): void {
  const { req } = context
  const key = req.header('authorization') ?? req.header(headers.sessionKey)
  const callers = [
    `address ${clientAddress(context) ?? 'of this process'}`,
    // Hashed, so that no secret stays in memory.
    ...(key === undefined ? [] : [createHash('sha256').update(key).digest('base64')]),
  ]
  const seconds = Math.max(...callers.map(take))
  if (seconds > 0)
    throw problem('RATE_LIMITED', `Too many requests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
}

/** Marks requests that pages rendered by this process make. Callers over HTTP cannot set it. */
export const ownRequest = { isOwn: true } as const

/** Pages of this process are exempt from the rate limit and from faults, because developers clear faults on the dashboard. */
export function isOwnRequest({ env }: Pick<Context<AppEnv>, 'env'>): boolean {
  return env === ownRequest
}

/** Returns the origin at which browsers reach the service: `publicUrl` or, without one, the request's origin. */
export function serviceOrigin(service: Service, context: Context<AppEnv>): string {
  return new URL(service.settings.publicUrl ?? context.req.url).origin
}

/**
 * Rejects all callers but the service's own pages, even programs and other pages on this machine (PROTOCOL.md 10.8). Browsers set these
 * headers, and pages cannot change them.
 */
export function checkOwnPage(service: Service, context: Context<AppEnv>): void {
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isOwn = site === undefined ? origin === serviceOrigin(service, context) : site === 'same-origin'
  if (!isOwn)
    throw problem('FORBIDDEN', 'Only the service’s own card form may make this call.', {
      issues: [site === undefined ? 'origin' : 'sec-fetch-site'],
    })
}

/** Rejects a URL that contains a NUL character, which PostgreSQL cannot store. No id contains one. */
export function checkUrl({ req }: Context<AppEnv>): void {
  if (req.url.includes('%00')) throw problem('NOT_FOUND', 'The URL contains a NUL character.')
}

/** Maximum number of headers, and maximum number of characters in their names and values. */
const maxHeaders = 100
const maxHeaderCharacters = 16 * 1024

/** Rejects too many or too large headers. Node's server rejects some of them earlier, with a 431. */
export function checkHeaders(context: Context<AppEnv>): void {
  let count = 0
  let characters = 0
  for (const [name, value] of context.req.raw.headers) {
    count++
    characters += name.length + value.length
  }
  if (count > maxHeaders || characters > maxHeaderCharacters)
    throw invalid(
      'headers',
      `A request may have at most ${maxHeaders} headers, and ${maxHeaderCharacters} characters in all headers together.`,
    )
}

/** Rejects pages of other sites, and other host names (PROTOCOL.md 1.5). Programs pass, because they send no `Origin`. */
export function checkCaller(settings: Service['settings'], context: Context<AppEnv>): void {
  const { publicUrl, allowedHosts, allowedOrigins } = settings
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  // Every HTTP client sends `Host`. Only requests without a socket lack it, and they need no check.
  const host = context.req.header('host')
  if (host !== undefined && !isOwnHost(host, [...allowedHosts, ...(own ? [own.hostname] : [])]))
    throw problem(
      'FORBIDDEN',
      `${showValue(host)} is not a host of this service. To allow it, add it to allowedHosts.`,
      { issues: ['host'] },
    )
  const origin = context.req.header('origin')
  if (origin !== undefined && !isOwnPage(origin, [...allowedOrigins, ...(own ? [own.origin] : [])]))
    throw problem(
      'FORBIDDEN',
      `Pages of ${showValue(origin)} may not use this service. To allow them, add the origin to allowedOrigins.`,
      { issues: ['origin'] },
    )
  // Requests for images, scripts and links have no origin, but browsers add `sec-fetch-site`. Following a link is allowed.
  const isForeign = context.req.header('sec-fetch-site') === 'cross-site'
  if (origin === undefined && isForeign && context.req.header('sec-fetch-mode') !== 'navigate')
    throw problem('FORBIDDEN', 'Pages of other sites may not use this service without an Origin header.', {
      issues: ['sec-fetch-site'],
    })
}

/** Rejects requests from other machines, including those through a proxy or tunnel: `/sandbox` is for this machine only. */
export function checkLocalCaller(context: Context<AppEnv>): void {
  const address = clientAddress(context)
  if ((address !== undefined && !isLoopback(address)) || isForwarded(context.req.raw.headers))
    throw problem('FORBIDDEN', 'Calls under /sandbox work on this machine only.')
}

/** Far more requests than one machine can handle. To see a 429, set a lower limit. */
export const defaultRateLimit: RateLimit = { perSecond: 2_000, burst: 10_000 }

/** Maximum number of callers. Above it, callers whose bucket is full again are forgotten. */
const maxCallers = 10_000

/** A token bucket per caller. The returned function counts one request and returns the seconds to wait, or 0. */
export function rateLimiter(limit: RateLimit, now: Clock): (caller: string) => number {
  const { perSecond, burst } = limit
  const buckets = new Map<string, { left: number; at: number }>()
  const leftOf = (bucket: { left: number; at: number }, time: number) =>
    // If the clock is set back, nothing is refilled.
    Math.min(burst, bucket.left + (Math.max(0, time - bucket.at) / 1000) * perSecond)
  function forgetFull(time: number): void {
    for (const [caller, bucket] of buckets) if (leftOf(bucket, time) >= burst) buckets.delete(caller)
  }
  return (caller) => {
    const time = now()
    if (buckets.size >= maxCallers) forgetFull(time)
    const bucket = buckets.get(caller) ?? { left: burst, at: time }
    const left = leftOf(bucket, time)
    const mayGo = left >= 1
    buckets.set(caller, { left: mayGo ? left - 1 : left, at: time })
    return mayGo ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}
