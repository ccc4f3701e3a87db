import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  checkDomains,
  clockSkewMs,
  InvalidAuthMessageError,
  isPlainText,
  isWithinLifetime,
} from '../../core/authMessage.ts'
import type { AuthExpectation as ChainExpectation } from '../../core/chainAdapter.ts'
import { readClock } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { credentialHours } from '../../core/limits.ts'
import { plainHost } from '../../core/parseUrl.ts'
import type { StellarNetwork } from '../networks.ts'
import { hash } from '../sdk.ts'
import { asBuffer } from '../values.ts'

/** The fields of a Stellar sign-in text. Times are unix milliseconds. */
export type AuthMessage = {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  /** Name of the network: `pubnet`, `testnet`. */
  network: string
  nonce: string
  issuedAt: number
  expiresAt: number
}

const layout =
  /^(\S+) wants you to sign in with your Stellar account:\n(\w+)\n\n(?:([ -~]+)\n\n)?URI: (\S+)\nVersion: 1\nNetwork: (\S+)\nNonce: ([A-Za-z\d]{8,96})\nIssued At: (\S+)\nExpiration Time: (\S+)$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/

/** Parses the service's sign-in text: EIP-4361's layout with Stellar's terms (PROTOCOL.md 8.4). Rejects an extra, missing or moved line. */
export function parseAuthMessage(message: string): AuthMessage {
  const match = typeof message === 'string' && message.length < 4000 ? layout.exec(message) : null
  if (match === null)
    throw new InvalidAuthMessageError('The text is not a Stellar sign-in message.', {
      field: 'message',
      fix: 'Do not sign it, or set allowPlainText if you know that the service sends free text.',
    })
  const [, domain = '', address = '', statement, uri = '', network = '', nonce = '', issued, expiration] =
    match
  return {
    domain,
    address,
    statement,
    uri,
    network,
    nonce,
    issuedAt: parseTime(issued, 'issuedAt'),
    expiresAt: parseTime(expiration, 'expirationTime'),
  }
}

function parseTime(text = '', field: string): number {
  const time = dateTime.test(text) ? Date.parse(text) : Number.NaN
  // `Date.parse` rejects February 30, or turns it into a day in March.
  if (!(time >= 0) || new Date(time).toISOString().slice(0, 19) !== text.slice(0, 19))
    throw new InvalidAuthMessageError(`"${text}" is not a UTC time.`, {
      field,
      fix: 'Write it as 2026-11-20T18:00:00Z (RFC 3339).',
    })
  return time
}

/** Terms of a SEP-10 challenge transaction, in addition to the account. */
export type ChallengeTerms = {
  /** The service's signing key, if known: the required source of a challenge transaction. */
  serverKey?: string | undefined
  /** The user ID within a shared account, in decimal digits: the memo of the challenge transaction. */
  memoId?: string | undefined
  /** The domain of the wallet application, which then also signs, and its key (`SIGNING_KEY` in its stellar.toml). */
  clientDomain?: { domain: string; key: string } | undefined
}

export type AuthExpectation = ChainExpectation &
  ChallengeTerms & {
    /** The signing wallet, `G…`. A challenge transaction may also have a muxed account, `M…`. */
    address: string
    network: StellarNetwork
  }

/** Compares a sign-in text with the expected values. Returns `undefined` for free text, which requires `allowPlainText`. */
export function checkAuthMessage(message: string, expected: AuthExpectation): AuthMessage | undefined {
  checkDomains(expected.domains)
  // Text that claims to be a sign-in must pass every check, even if plain text is allowed.
  if (expected.allowPlainText === true && isPlainText(message)) return undefined
  const parsed = parseAuthMessage(message)
  const now = readClock(expected.now)
  const { domains, network, address } = expected
  expectField(parsed.domain, 'domain', domains)
  expectField(parsed.address, 'address', [address])
  expectField(parsed.network, 'network', [network.name])
  const uriHost = plainHost(parsed.uri)
  if (uriHost === undefined) expectField(parsed.uri, 'uri', [])
  else expectField(uriHost, 'uri', domains)
  const { issuedAt, expiresAt } = parsed
  if (issuedAt > now + clockSkewMs) expectField(issuedAt, 'issuedAt', [])
  if (!(expiresAt > now) || !isWithinLifetime({ issuedAt, expiresAt, now }))
    throw new AuthMessageExpiredError(
      `The sign-in would be valid until ${new Date(expiresAt).toISOString()}.`,
      {
        field: 'expirationTime',
        fix: `Ask for a new message that expires within ${credentialHours} hours.`,
      },
    )
  return parsed
}

export function expectField(value: unknown, field: string, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return
  const ErrorClass = /^(domain|address|network|uri)$/.test(field)
    ? AuthMessageMismatchError
    : /^(issuedAt|expirationTime|transaction.timeBounds)$/.test(field)
      ? AuthMessageExpiredError
      : InvalidAuthMessageError
  const isRule = typeof value === 'boolean' // A boolean is the result of a check by the caller.
  throw new ErrorClass(
    isRule
      ? `The sign-in has an invalid value for ${field}.`
      : `The sign-in says ${showValue(value, 80)} for ${field}.`,
    {
      field,
      fix: `Do not sign it${isRule || allowed.length === 0 ? '' : `; expected ${allowed.join(' or ')}`}.`,
    },
  )
}

/** Returns the digest that a wallet signs for text (SEP-53). */
export function messageDigest(message: string): Uint8Array {
  return hash(asBuffer(new TextEncoder().encode(`Stellar Signed Message:\n${message}`)))
}
