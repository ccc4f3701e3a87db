import { isIP } from 'node:net'
import { problem } from '../http/problem.ts'

/**
 * The address that a sign-in message names: the configured one, or, on this machine only, the one that was asked.
 *
 * A request names any host it likes. Were that taken, another site could fetch the message for itself, have its visitor sign it,
 * and be the visitor here.
 *
 * @throws a 400 for another host than this machine's when `publicUrl` is not set
 */
export function signInUrl(publicUrl: string | undefined, requestUrl: string): URL {
  if (publicUrl !== undefined) return new URL(publicUrl)
  const url = new URL(requestUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  if (isLocal) return url
  throw problem(
    'INVALID_REQUEST',
    `Sign-in works on this machine only, not at ${url.host.slice(0, 80)}: set publicUrl to where the service is reached.`,
    { issues: ['host'] },
  )
}
