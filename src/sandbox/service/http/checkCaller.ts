import type { Context } from 'hono'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { isOwnHost, isOwnPage } from '../../servers/findRefusal.ts'
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
  const { publicUrl, allowedHosts, allowedOrigins } = settings
  const own = publicUrl === undefined ? undefined : new URL(publicUrl)
  // Every server has the header; without a socket there is none, and nobody who could be misled.
  const host = context.req.header('host')
  if (host !== undefined && !isOwnHost(host, [...allowedHosts, ...(own ? [own.hostname] : [])]))
    throw problem(
      'FORBIDDEN',
      `This service is not reached as ${showValue(host)}. Name that host in allowedHosts if it is.`,
      { issues: ['host'] },
    )
  const origin = context.req.header('origin')
  if (origin !== undefined && !isOwnPage(origin, [...allowedOrigins, ...(own ? [own.origin] : [])]))
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
 * Refuses requests from another machine: what stands under `/sandbox` answers this one only. A proxy or a tunnel on this machine says
 * whom it speaks for.
 *
 * @throws a 403
 */
export function checkLocalCaller(context: Context<AppEnv>): void {
  const address = clientAddress(context)
  const behind = context.req.header('x-forwarded-for')?.split(',') ?? []
  const callers = [...(address === undefined ? [] : [address]), ...behind]
  const isLocal = (caller: string) =>
    isInNetworks(caller.trim().replace(/^::ffff:(?=\d+\.)/, ''), ['127.0.0.0/8', '::1'])
  if (!callers.every(isLocal))
    throw problem('FORBIDDEN', 'Calls under /sandbox are answered on this machine only.')
}
