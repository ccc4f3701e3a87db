import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { cors } from 'hono/cors'
import { isLoopback } from './networks.ts'

/** Returns why a local chain or page rejects a request. The service's `checkCaller` differs only in rejecting browser extensions. */
export function findRefusal(
  { host, origin }: { host: string | null | undefined; origin: string | null | undefined },
  allowed: findRefusal.Options = {},
): string | undefined {
  const { origins, hosts } = allowed
  if (!host || !isOwnHost(host, hosts)) return 'The Host header does not name this machine.'
  if (origin === undefined || origin === null || isOwnPage(origin, origins) || isExtension(origin))
    return undefined
  return 'This origin is not allowed. Add it to "allowedOrigins".'
}

export declare namespace findRefusal {
  type Options = {
    /** Origins allowed in addition to local pages, such as `https://shop.example` or that of an extension. */
    origins?: readonly string[] | undefined
    /** Further allowed host names of the server, with or without a port. */
    hosts?: readonly string[] | undefined
  }
}

/** Whether a proxy or tunnel forwards another machine's request. False for a local development server that forwards for this machine. */
export function isForwarded(headers: Pick<Headers, 'get'>): boolean {
  const listed = (names: readonly string[]) =>
    names.flatMap((name) => headers.get(name)?.split(',') ?? []).map((value) => value.trim())
  return (
    // RFC 7239. Development servers do not send this header.
    headers.get('forwarded') !== null ||
    !listed(['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']).every(isLoopback) ||
    !listed(['x-forwarded-host']).every((host) => isOwnHost(host))
  )
}

export function isExtension(origin: string): boolean {
  return /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/.test(origin)
}

/**
 * Whether a request's `Host` names this machine or is listed. With any other name that resolves to this machine (DNS rebinding), a
 * foreign page would count as same-origin.
 *
 * @param hosts host names; if one has a port, only that port is allowed
 */
export function isOwnHost(host: string, hosts: readonly string[] = []): boolean {
  const url = `http://${host}`
  // The header must be a host with an optional port, without user or path.
  if (!URL.canParse(url) || /[/\\?#@]/.test(host)) return false
  // Normalized as browsers do: lower case, and IPv4 addresses in dotted form.
  const { hostname, host: asked } = new URL(url)
  return isThisMachine(hostname) || hosts.includes(hostname) || hosts.includes(asked) || hosts.includes(host)
}

/** Whether an `Origin` belongs to a local page or is listed. `null` (a sandboxed frame, a file, a redirect) is not allowed. */
export function isOwnPage(origin: string, origins: readonly string[] = []): boolean {
  if (isExtension(origin)) return origins.includes(origin)
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  if (page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  return isThisMachine(page.hostname) || origins.includes(origin)
}

/** Whether a host name is this machine's, including names under `localhost` (RFC 6761 6.3). IPv6 is in brackets, as in a URL. */
export function isThisMachine(hostname: string): boolean {
  return /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** The origin of an http or https URL; undefined for anything else. */
export function pageOrigin(address: unknown): string | undefined {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/** Middleware for a local chain's server. Accepts callers on this machine that `findRefusal` allows, and bodies of up to 1 MB. */
export function onlyLocal(allowed: findRefusal.Options): MiddlewareHandler {
  return every(
    async (context, next) => {
      const { host, origin } = context.req.header()
      const refusal = findRefusal({ host, origin }, allowed)
      if (refusal !== undefined) return context.json({ error: refusal }, 403)
      if (isForwarded(context.req.raw.headers))
        return context.json({ error: 'The chain is available on this machine only.' }, 403)
      return next()
    },
    cors({ origin: (origin) => origin }),
    bodyLimit({
      maxSize: 1_000_000,
      // The connection is closed, because the rest of the body is unread.
      onError: (context) => context.json({ error: 'The body exceeds 1 MB.' }, 413, { connection: 'close' }),
    }),
  )
}
