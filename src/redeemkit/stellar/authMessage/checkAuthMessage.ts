import { AuthMessageExpiredError } from '../../core/authMessage/authMessageErrors.ts'
import { isPlainText } from '../../core/authMessage/isPlainText.ts'
import { clockSkewMs, isWithinLifetime } from '../../core/authMessage/isWithinLifetime.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Clock, readClock } from '../../core/time/clock.ts'
import type { StellarNetwork } from '../networks.ts'
import { expectField } from './expectField.ts'
import { type AuthMessage, parseAuthMessage } from './parseAuthMessage.ts'

/** What a challenge transaction was asked for beside the account (SEP-10). */
export type ChallengeTerms = {
  /** The service's signing key, when it is known: the only one a challenge transaction may come from. */
  serverKey?: string | undefined
  /** The number of the user of a shared account, in decimal digits: the challenge transaction's memo. */
  memoId?: string | undefined
  /** The wallet application that vouches for itself, and its key (`SIGNING_KEY` of its stellar.toml). */
  clientDomain?: { domain: string; key: string } | undefined
}

/** What a sign-in must say. */
export type AuthExpectation = ChallengeTerms & {
  /** The wallet that is asked; in a challenge transaction also `M…`, a user's number in it. */
  address: string
  network: StellarNetwork
  /** Hosts (with port, when there is one) that may stand in it. */
  domains: readonly string[]
  allowPlainText?: boolean | undefined
  now?: Clock | undefined
}

/**
 * Holds a sign-in text against what it must say.
 *
 * @returns its fields; `undefined` for a free text, which only `allowPlainText` lets pass
 * @throws `InvalidAuthMessageError`, `AuthMessageMismatchError`, `AuthMessageExpiredError` naming the field; `InvalidOptionError`
 */
export function checkAuthMessage(message: string, expected: AuthExpectation): AuthMessage | undefined {
  checkDomains(expected)
  // A text that claims to be a sign-in is held to it, whatever is allowed.
  if (expected.allowPlainText === true && isPlainText(message)) return undefined
  const parsed = parseAuthMessage(message)
  const now = readClock(expected.now)
  const { domains, network, address } = expected
  expectField(parsed.domain, 'domain', domains)
  expectField(parsed.address, 'address', [address])
  expectField(parsed.network, 'network', [network.name])
  checkUri(parsed.uri, domains)
  const { issuedAt, expiresAt } = parsed
  if (issuedAt > now + clockSkewMs) expectField(issuedAt, 'issuedAt', [])
  if (!(expiresAt > now) || !isWithinLifetime({ issuedAt, expiresAt, now }))
    throw new AuthMessageExpiredError(
      `The sign-in would be good until ${new Date(expiresAt).toISOString()}.`,
      {
        field: 'expirationTime',
        fix: 'Ask for a new one, which ends in the future and within 24 hours.',
      },
    )
  return parsed
}

/** @throws `InvalidOptionError` unless somebody has said which hosts may ask */
export function checkDomains({ domains }: Pick<AuthExpectation, 'domains'>): void {
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new InvalidOptionError('The hosts that may ask for a sign-in are missing.', {
      field: 'domains',
      fix: "Give a list of hosts: the service's own, or the page's.",
    })
}

/** Readers do not agree on a URI such as `https://a\\@b`: only one that says its host as `URL` would write it is taken. */
function checkUri(uri: string, domains: readonly string[]): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    uri.startsWith(url.origin) &&
    /^(?:[/?#][!-~]*)?$/.test(uri.slice(url.origin.length))
  if (isPlain) expectField(url.host, 'uri', domains)
  else expectField(uri, 'uri', [])
}
