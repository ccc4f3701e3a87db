import { isPlainText } from '../../core/authMessage/isPlainText.ts'
import { clockSkewMs, isWithinLifetime } from '../../core/authMessage/isWithinLifetime.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { type Clock, readClock } from '../../core/time/clock.ts'
import type { StellarNetwork } from '../networks.ts'
import { type AuthMessage, InvalidAuthMessageError, parseAuthMessage } from './parseAuthMessage.ts'

/** What a sign-in must say. */
export type AuthExpectation = {
  /** The wallet that is asked. */
  address: string
  network: StellarNetwork
  /** Hosts (with port, when there is one) that may stand in it. */
  domains: readonly string[]
  allowPlainText?: boolean | undefined
  /** The service's signing key, when it is known: the only one a challenge transaction may come from. */
  serverKey?: string | undefined
  now?: Clock | undefined
}

/**
 * Holds a sign-in text against what it must say.
 *
 * @returns its fields; `undefined` for a free text, which only `allowPlainText` lets pass
 * @throws {@link InvalidAuthMessageError} naming the field
 */
export function checkAuthMessage(message: string, expected: AuthExpectation): AuthMessage | undefined {
  checkDomains(expected)
  // A text that claims to be a sign-in is held to it, whatever is allowed.
  if (expected.allowPlainText === true && isPlainText(message)) return undefined
  const parsed = parseAuthMessage(message)
  const now = readClock(expected.now)
  const { domains, network } = expected
  checkField(parsed.domain, 'domain', domains)
  checkField(parsed.address, 'address', [expected.address])
  checkField(parsed.network, 'network', [network.name])
  const url = URL.canParse(parsed.uri) ? new URL(parsed.uri) : undefined
  // Readers do not agree on a URI such as `https://a\\@b`: only one that says its host as `URL` would write it is taken.
  const path = url && parsed.uri.startsWith(url.origin) ? parsed.uri.slice(url.origin.length) : '-'
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^(?:[/?#][!-~]*)?$/.test(path))
    checkField(parsed.uri, 'uri', [])
  else checkField(url.host, 'uri', domains)
  if (parsed.issuedAt > now + clockSkewMs) checkField(parsed.issuedAt, 'issuedAt', [])
  if (!(parsed.expiresAt > now) || !isWithinLifetime({ ...parsed, now }))
    throw new InvalidAuthMessageError(
      `The sign-in would be good until ${new Date(parsed.expiresAt).toISOString()}.`,
      {
        field: 'expirationTime',
        fix: 'Ask for a new one; it must end in the future and within 24 hours of its issue.',
      },
    )
  return parsed
}

/** @throws {@link InvalidAuthMessageError} unless somebody has said which hosts may ask */
export function checkDomains({ domains }: Pick<AuthExpectation, 'domains'>): void {
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new InvalidAuthMessageError('Nobody has said which hosts may ask for a sign-in.', {
      field: 'domains',
      fix: "Give a list of hosts: the service's own, or the page's.",
    })
}

/** @throws {@link InvalidAuthMessageError} unless the value is one of those allowed */
export function checkField(value: unknown, field: string, allowed: readonly unknown[]): void {
  if (!allowed.includes(value))
    throw new InvalidAuthMessageError(`The sign-in says ${showValue(value, 80)} for ${field}.`, {
      field,
      fix: allowed.length > 0 ? `Do not sign it; expected ${allowed.join(' or ')}.` : 'Do not sign it.',
    })
}
