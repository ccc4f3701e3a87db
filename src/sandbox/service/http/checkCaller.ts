import type { Context } from 'hono'
import { showValue } from '../../../core/errors/showValue.ts'
import { isThisMachine } from '../auth/siteUrl.ts'
import type { Service } from '../service.ts'
import { clientAddress } from './clientAddress.ts'
import { isInNetworks } from './isInNetworks.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * Refuses requests that a page of another site made, and requests that were sent here under another's name (PROTOCOL.md 1.5).
 * Programs that are no browser send no `Origin`, and pass.
 *
 * @throws a 403
 */
export function checkCaller(settings: Service['settings'], context: Context<AppEnv>): void {
  // Every server has the header; without a socket there is none, and nobody who could be misled.
  const host = context.req.header('host')
  if (host !== undefined && !isOwnHost(settings, host))
    throw problem(
      'FORBIDDEN',
      `This service is not reached as ${showValue(host)}. Name that host in allowedHosts if it is.`,
      { issues: ['host'] },
    )
  const origin = context.req.header('origin')
  if (origin !== undefined && !isOwnPage(settings, origin))
    throw problem(
      'FORBIDDEN',
      `Pages of ${showValue(origin)} may not use this service. Name that origin in allowedOrigins if they may.`,
      { issues: ['origin'] },
    )
  // A page's images, scripts and links send no origin; browsers say this much. Whoever follows a link may come.
  const isForeign = context.req.header('sec-fetch-site') === 'cross-site'
  if (origin === undefined && isForeign && context.req.header('sec-fetch-mode') !== 'navigate')
    throw problem('FORBIDDEN', 'Pages of another site may not use this service.', {
      issues: ['sec-fetch-site'],
    })
}

/**
 * Refuses requests from another machine: what stands under `/sandbox` answers this one only.
 *
 * @throws a 403
 */
export function checkLocalCaller(context: Context<AppEnv>): void {
  const address = clientAddress(context)
  if (address !== undefined && !isInNetworks(address, ['127.0.0.0/8', '::1']))
    throw problem('FORBIDDEN', 'Calls under /sandbox are answered on this machine only.')
}

/** Whether the `Host` of a request is a name of this service, at any port. */
function isOwnHost({ publicUrl, allowedHosts }: Service['settings'], host: string): boolean {
  const url = `http://${host}`
  // Nothing but a host and a port: no user, no path.
  if (!URL.canParse(url) || /[/\\?#@]/.test(host)) return false
  const asked = new URL(url)
  if (isThisMachine(asked)) return true
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  return (
    own?.hostname === asked.hostname ||
    allowedHosts.includes(asked.hostname) ||
    allowedHosts.includes(asked.host)
  )
}

function isOwnPage({ publicUrl, allowedOrigins }: Service['settings'], origin: string): boolean {
  // Also `null`: a sandboxed frame, a file, a redirect.
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  if (page.origin !== origin || !/^https?:$/.test(page.protocol)) return false
  if (isThisMachine(page) || allowedOrigins.includes(origin)) return true
  return publicUrl !== undefined && new URL(publicUrl).origin === origin
}
