import type { Address } from 'viem'
import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  clockSkewMs,
  isWithinLifetime,
  maxLifeMs,
} from '../../core/authMessage.ts'
import { type Clock, readClock } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { credentialHours } from '../../core/limits.ts'
import type { SiweMessage } from './parseSiweMessage.ts'

/** Throws if a sign-in text is not for the expected wallet, chain and site, or is not valid now (PROTOCOL.md 8). */
export function checkSiweMessage(message: SiweMessage, options: checkSiweMessage.Options): void {
  const [first] = siweProblems(message, options)
  if (first !== undefined) throw first
}

/** Returns all problems of a sign-in message, worst first. Compares only the values that the options contain. */
export function siweProblems(
  message: SiweMessage,
  options: {
    address?: Address | undefined
    chainId?: number | undefined
    domains?: readonly string[] | undefined
    now?: Clock | undefined
    /** Accepts any lifetime. Default false: the message may be valid for at most the lifetime of a credential (PROTOCOL.md 1.3). */
    isLifetimeFree?: boolean | undefined
  },
): (AuthMessageMismatchError | AuthMessageExpiredError)[] {
  const { address, chainId, domains } = options
  const uri = new URL(message.uri)
  const problems: (AuthMessageMismatchError | AuthMessageExpiredError)[] = []
  if (address !== undefined && message.address !== address)
    problems.push(mismatch('address', message.address, address))
  if (chainId !== undefined && message.chainId !== chainId)
    problems.push(mismatch('chainId', message.chainId, chainId))
  if (domains !== undefined) {
    const allowed = domains.map((domain) => domain.toLowerCase())
    if (!allowed.includes(message.domain.toLowerCase()))
      problems.push(mismatch('domain', message.domain, domains.join(' or ') || 'none'))
    if (!isOn(uri, allowed))
      problems.push(mismatch('uri', message.uri, `an address on ${domains.join(' or ') || 'no site'}`))
  } else if (!isSite(uri)) problems.push(mismatch('uri', message.uri, 'an http or https address'))
  if (message.scheme !== undefined && !/^https?$/i.test(message.scheme))
    problems.push(mismatch('scheme', message.scheme, 'http or https'))
  const recap = message.resources.find((resource) => /^urn:recap:/i.test(resource))
  if (recap !== undefined)
    problems.push(
      new AuthMessageMismatchError('The sign-in message also lets the site act for your account.', {
        field: 'message.resources',
        fix: 'Do not sign it: a sign-in must not grant the right to act for the wallet.',
        source: 'EIP-5573',
      }),
    )
  const time = readClock(options.now)
  const { issuedAt, notBefore, expirationTime } = message
  if (notBefore !== undefined && !(notBefore <= time))
    problems.push(
      outOfTime(
        'notBefore',
        `The sign-in message is valid from ${iso(notBefore)}, but it is now ${iso(time)}.`,
      ),
    )
  const expiresAt =
    options.isLifetimeFree === true
      ? Math.min(expirationTime ?? Number.POSITIVE_INFINITY, issuedAt + maxLifeMs)
      : expirationTime
  if (expiresAt === undefined || !isWithinLifetime({ issuedAt, expiresAt, now: time }))
    problems.push(
      new AuthMessageExpiredError(
        issuedAt > time + clockSkewMs
          ? `The sign-in message was issued at ${iso(issuedAt)}, but it is now ${iso(time)}.`
          : `The sign-in message was issued at ${iso(issuedAt)} and is valid ${expirationTime === undefined ? 'forever' : `until ${iso(expirationTime)}`}.`,
        {
          field: 'message.expirationTime',
          fix: `Do not sign it: a credential must expire within ${credentialHours} hours of its issue. Check the system clock.`,
          source: 'PROTOCOL.md 8',
        },
      ),
    )
  else if (expirationTime !== undefined && !(expirationTime > time))
    problems.push(outOfTime('expirationTime', `The sign-in message expired at ${iso(expirationTime)}.`))
  return problems
}

export declare namespace checkSiweMessage {
  type Options = {
    address: Address
    chainId: number
    /** Hosts that may request the sign-in, each with its port if it has one. */
    domains: readonly string[]
    now?: Clock | undefined
  }
}

function isSite({ protocol, username, password }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

/** Accepts an explicit default port. */
function isOn(uri: URL, allowed: readonly string[]): boolean {
  if (!isSite(uri)) return false
  const port = uri.port === '' ? (uri.protocol === 'https:' ? '443' : '80') : uri.port
  return allowed.some((domain) => domain === uri.host || domain === `${uri.hostname}:${port}`)
}

const outOfTime = (field: string, message: string) =>
  new AuthMessageExpiredError(message, {
    field: `message.${field}`,
    fix: 'Check the system clock, then ask for a new message.',
    source: 'EIP-4361',
  })

const iso = (time: number) => new Date(time).toISOString()

function mismatch(field: string, value: unknown, expected: unknown) {
  return new AuthMessageMismatchError(
    `The sign-in message has ${field} ${showValue(value)}, but it should be ${showValue(expected)}.`,
    {
      field: `message.${field}`,
      fix: 'Do not sign it: the message would sign in another wallet, or to another site or chain.',
      source: 'EIP-4361',
    },
  )
}
