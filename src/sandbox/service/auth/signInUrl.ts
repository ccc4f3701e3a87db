import { isThisMachine } from '../../servers/findRefusal.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { siteUrl } from './siteUrl.ts'

/**
 * The address that a sign-in message names: the page's own where this service allows that page, because wallets compare the
 * two; else the service's: the configured one, or, on this machine only, the one that was asked.
 *
 * A request names any host it likes. Were that taken, another site could fetch the message for itself, have its visitor sign it,
 * and be the visitor here.
 *
 * @throws a 400 for another host than this machine's when `publicUrl` is not set
 */
export function signInUrl(
  settings: Pick<Service['settings'], 'publicUrl' | 'allowedOrigins'>,
  request: { url: string; origin: string | undefined },
): URL {
  const asked = new URL(request.url)
  if (settings.publicUrl === undefined && !isThisMachine(asked.hostname))
    throw problem(
      'INVALID_REQUEST',
      `Sign-in works on this machine only, not at ${asked.host.slice(0, 80)}: set publicUrl to where the service is reached.`,
      { issues: ['host'] },
    )
  return siteUrl(settings, request)
}
