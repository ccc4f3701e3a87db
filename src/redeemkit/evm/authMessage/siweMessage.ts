import type { Address } from 'viem'
import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  clockSkewMs,
  InvalidAuthMessageError,
  isStandardNonce,
  isWithinLifetime,
  maxLifeMs,
} from '../../core/authMessage.ts'
import { type Clock, readClock } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { credentialHours } from '../../core/limits.ts'
import { parseUrl } from '../../core/parseUrl.ts'
import { checkAddress } from '../checkAddress.ts'

/** A parsed sign-in text (EIP-4361). Times are unix milliseconds. */
export type SiweMessage = {
  /** `https`, if the text begins with `https://`. */
  scheme?: string | undefined
  /** Host, with its port if it has one. */
  domain: string
  address: Address
  statement?: string | undefined
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
  expirationTime?: number | undefined
  notBefore?: number | undefined
  requestId?: string | undefined
  resources: readonly string[]
}

/** In characters. Bounds the parser's work. */
const longest = 65_536
const opening = ' wants you to sign in with your Ethereum account:'
const header =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?((?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?)$/
const uriText =
  /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/\[[0-9A-Fa-f:.]+\])?(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/
const requestIdText = /^(?:[A-Za-z0-9\-._~:@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/
const statementText = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/
const statementRule = 'EIP-4361 allows only ASCII letters, digits, spaces and URI characters in a statement.'
const nonceRule = 'It must have at least 8 letters and digits.'
const addressRule = 'The second line must be the address with its checksum.'
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/**
 * Parses a sign-in text strictly by EIP-4361: all lines in order, a checksummed address, version 1, a nonce of at
 * least 8 letters and digits, valid dates, and no text after the last line.
 *
 * @throws {@link InvalidAuthMessageError} naming the field
 */
export function parseSiweMessage(text: string): SiweMessage {
  const message = readSiweMessage(text)
  if (message.statement !== undefined && !isStandardStatement(message.statement))
    throw invalid('statement', message.statement, statementRule)
  if (!hasChecksum(text, message)) throw invalid('address', text.split('\n')[1], addressRule)
  if (!isStandardNonce(message.nonce)) throw invalid('nonce', message.nonce, nonceRule)
  return message
}

export declare namespace parseSiweMessage {
  type ReturnType = SiweMessage
  type ErrorType = InvalidAuthMessageError
}

/** Whether a statement contains only the ASCII characters that EIP-4361 allows. */
export const isStandardStatement = (statement: string) => statementText.test(statement)

/** Whether the address in a sign-in text has its EIP-55 checksum, as EIP-4361 requires. */
export const hasChecksum = (text: string, { address }: SiweMessage) => text.split('\n', 2)[1] === address

/**
 * Like {@link parseSiweMessage}, but also accepts any single line as the statement, an address without its checksum, and any nonce of
 * printable ASCII, so that `inspect` can describe such texts.
 */
export function readSiweMessage(text: string): SiweMessage {
  if (typeof text !== 'string' || text.length > longest)
    throw invalid('message', text, `It must be text of at most ${longest} characters.`)
  const lines = text.split('\n')
  let at = 0
  const next = () => lines[at++] ?? ''
  const first = next()
  if (!first.endsWith(opening)) throw invalid('domain', first, `The first line must end with "${opening}".`)
  const site = first.slice(0, -opening.length)
  const [, scheme, domain] = header.exec(site) ?? []
  if (domain === undefined)
    throw invalid('domain', site, 'It must begin with the domain of the requesting site, in ASCII.')
  const address = readAddress(next())
  expectBlank(next(), 'address')
  const statement = lines[at] === '' ? undefined : next()
  expectBlank(next(), 'statement')
  const required = (label: string, field: string) => {
    const line = next()
    if (!line.startsWith(label))
      throw invalid(field, line, `The line "${label}…" is missing or out of place.`)
    return line.slice(label.length)
  }
  const optional = (label: string) => (lines[at]?.startsWith(label) ? next().slice(label.length) : undefined)

  const uri = readUri(required('URI: ', 'uri'), 'uri')
  const version = required('Version: ', 'version')
  if (version !== '1') throw invalid('version', version, 'Only version 1 is supported.')
  const chainIdText = required('Chain ID: ', 'chainId')
  const chainId = Number(chainIdText)
  if (!/^[1-9]\d*$/.test(chainIdText) || !Number.isSafeInteger(chainId))
    throw invalid('chainId', chainIdText, 'It must be a positive integer.')
  const nonce = required('Nonce: ', 'nonce')
  if (!/^[!-~]+$/.test(nonce)) throw invalid('nonce', nonce, nonceRule)
  const issuedAt = readDate(required('Issued At: ', 'issuedAt'), 'issuedAt')
  const expiration = optional('Expiration Time: ')
  const notBefore = optional('Not Before: ')
  const requestId = optional('Request ID: ')
  if (requestId !== undefined && !requestIdText.test(requestId))
    throw invalid('requestId', requestId, 'It may have only the characters of a URI segment.')
  const resources: string[] = []
  if (lines[at] === 'Resources:') {
    at++
    while (lines[at]?.startsWith('- ')) resources.push(readUri(next().slice(2), 'resources'))
  }
  if (at < lines.length) throw invalid('message', next(), 'The text must end here.')
  return {
    ...(scheme === undefined ? {} : { scheme }),
    domain,
    address,
    ...(statement === undefined ? {} : { statement }),
    uri,
    chainId,
    nonce,
    issuedAt,
    ...(expiration === undefined ? {} : { expirationTime: readDate(expiration, 'expirationTime') }),
    ...(notBefore === undefined ? {} : { notBefore: readDate(notBefore, 'notBefore') }),
    ...(requestId === undefined ? {} : { requestId }),
    resources,
  }
}

function readAddress(line: string): Address {
  try {
    return checkAddress(line, 'address')
  } catch {
    throw invalid('address', line, addressRule)
  }
}

function readUri(text: string, field: string): string {
  const [, authority = ''] = /^[^:]+:\/\/([^/?#]*)/.exec(text) ?? []
  // RFC 3986, section 3.2.1, forbids `@` in a user name, but `URL` accepts it
  if (!uriText.test(text) || parseUrl(text) === undefined || authority.split('@').length > 2)
    throw invalid(field, text, 'It must be a URI.')
  return text
}

/** Parses an RFC 3339 date and time to unix milliseconds. */
function readDate(text: string, field: string): number {
  const written = text.slice(0, 19).toUpperCase()
  // some engines read February 30 as March 2
  const read = dateTime.test(text) ? Date.parse(`${written}Z`) : Number.NaN
  const exists = !Number.isNaN(read) && new Date(read).toISOString().startsWith(written)
  const time = exists ? Date.parse(text.toUpperCase()) : Number.NaN
  if (Number.isNaN(time)) throw invalid(field, text, 'It must be a valid RFC 3339 date and time.')
  return time
}

function expectBlank(line: string, after: string): void {
  if (line !== '') throw invalid('message', line, `There must be an empty line after the ${after}.`)
}

function invalid(field: string, value: unknown, rule: string) {
  return new InvalidAuthMessageError(
    `The sign-in message is not well-formed${value === '' ? '' : ` at ${showValue(value)}`}. ${rule}`,
    { field: `message.${field}`, fix: 'Do not sign it. Ask the service for a new one.', source: 'EIP-4361' },
  )
}

/** Returns all problems of a sign-in message, worst first (PROTOCOL.md 8). Compares only the values that the options contain. */
export function siweProblems(
  message: SiweMessage,
  options: siweProblems.Options,
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

export declare namespace siweProblems {
  type Options = {
    address?: Address | undefined
    chainId?: number | undefined
    /** Hosts that may request the sign-in, each with its port if it has one. */
    domains?: readonly string[] | undefined
    now?: Clock | undefined
    /** Accepts any lifetime. Default false: the message may be valid for at most the lifetime of a credential (PROTOCOL.md 1.3). */
    isLifetimeFree?: boolean | undefined
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
