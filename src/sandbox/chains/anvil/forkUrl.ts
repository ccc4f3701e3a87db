import { attempt } from '../../../redeemkit/core/attempt.ts'
import { describeType, showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'

/**
 * Checks the options of a fork. An unset environment variable as `forkUrl` must not start a fresh chain instead of a fork.
 *
 * @param fields the names of the options, for errors
 */
export function checkForkOptions(
  { forkUrl, forkBlockNumber }: { forkUrl: unknown; forkBlockNumber: unknown },
  fields = { forkUrl: 'forkUrl', forkBlockNumber: 'forkBlockNumber' },
): { forkUrl: string; forkBlockNumber: number | undefined } {
  if (typeof forkUrl !== 'string' || !/^\s*https?:/i.test(forkUrl) || !URL.canParse(forkUrl))
    throw new InvalidSandboxOptionsError(`${fields.forkUrl} is ${describeType(forkUrl)}, not a URL.`, {
      field: fields.forkUrl,
      fix: 'Pass an http:// or https:// URL (is an environment variable unset?), or omit the option to start a fresh chain.',
    })
  if (forkBlockNumber === undefined) return { forkUrl, forkBlockNumber }
  if (typeof forkBlockNumber !== 'number' || !Number.isSafeInteger(forkBlockNumber) || forkBlockNumber < 0)
    throw new InvalidSandboxOptionsError(`${fields.forkBlockNumber} is ${showValue(forkBlockNumber)}.`, {
      field: fields.forkBlockNumber,
      fix: 'Pass a block number, or omit the option to use the newest block.',
    })
  return { forkUrl, forkBlockNumber }
}

export declare namespace checkForkOptions {
  type ErrorType = InvalidSandboxOptionsError
}

/** Long labels in a host name may be keys. */
const keyLabel = /[^.:]{20,}/g

/** The part of a fork URL that messages may show: scheme, host and port. */
export function showForkUrl(forkUrl: string): string {
  const { protocol, host, pathname, search } = new URL(forkUrl)
  const rest = pathname === '/' && search === '' ? '' : '/…'
  return `${protocol}//${host.replace(keyLabel, '…')}${rest}`
}

const mark = '<fork url>'

/** Removes the fork URL, and every part of it that may be a key in any encoding, from Anvil's or the endpoint's text. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const url = new URL(forkUrl)
  const sameHost = new RegExp(`\\w+://[^\\s"'<>()]*${escaped(url.hostname)}[^\\s"'<>()]*`, 'gi')
  const hidden = hideAddress(text, forkUrl).replace(sameHost, mark)
  return secretsOf(url).reduce(
    (rest, secret) => rest.replace(new RegExp(escaped(secret), 'gi'), '<hidden>'),
    hidden,
  )
}

/** Does the same for a node's answer. Results keep their text apart from the URL itself; errors may quote the endpoint. */
export function hideForkUrlInAnswer(tail: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return tail
  return tail.startsWith('"error"') ? hideForkUrl(tail, forkUrl) : hideAddress(tail, forkUrl)
}

function hideAddress(text: string, forkUrl: string): string {
  const { href } = new URL(forkUrl)
  return [forkUrl, href, href.replace(/\/$/, '')].reduce((rest, form) => rest.replaceAll(form, mark), text)
}

/** User, password, path segments, query values and long host labels in every encoding, longest first: a shorter one may be part of it. */
function secretsOf(url: URL): string[] {
  const { username, password, pathname, search, hash, hostname } = url
  const words = [...`${pathname}${search}${hash}`.split(/[/?#&=]/), ...(hostname.match(keyLabel) ?? [])]
  const basic = basicAuthorization(url)?.slice('Basic '.length) ?? ''
  // Shorter parts such as `v2` or `main` are words, but a password may be short.
  return [...words.filter(({ length }) => length >= 6), basic, username, password]
    .flatMap((part) => {
      const plain = decoded(part)
      return [part, plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)]
    })
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
}

/** The header that carries a URL's user and password, as RFC 7617 says. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  const user = `${decoded(username)}:${decoded(password)}`
  return user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
}

/** Percent-decodes a text; invalid encodings are returned unchanged. */
const decoded = (text: string) => attempt(() => decodeURIComponent(text)) ?? text

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
