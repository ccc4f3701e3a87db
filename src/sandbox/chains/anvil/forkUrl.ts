import { attempt } from '../../../redeemkit/core/attempt.ts'
import { describeType, showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'

/** Checks the options of a fork. An unset environment variable as `forkUrl` must not start a fresh chain. */
export function checkForkOptions(
  { forkUrl, forkBlockNumber: block }: { forkUrl: unknown; forkBlockNumber: unknown },
  fieldOf = (option: string) => option,
): { forkUrl: string; forkBlockNumber: number | undefined } {
  const isUrl = typeof forkUrl === 'string' && /^\s*https?:/i.test(forkUrl) && URL.canParse(forkUrl)
  const isBlock =
    block === undefined || (typeof block === 'number' && Number.isSafeInteger(block) && block >= 0)
  if (isUrl && isBlock) return { forkUrl, forkBlockNumber: block }
  const field = fieldOf(isUrl ? 'forkBlockNumber' : 'forkUrl')
  const value = isUrl ? showValue(block) : `${describeType(forkUrl)}, not a URL`
  const fix = isUrl
    ? 'Pass a block number, or omit the option to use the newest block.'
    : 'Pass an http:// or https:// URL (is an environment variable unset?), or omit the option to start a fresh chain.'
  throw new InvalidSandboxOptionsError(`${field} is ${value}.`, { field, fix })
}

/** Long labels in a host name may be keys. */
const keyLabel = /[^.:]{20,}/g

/** The part of a fork URL that messages may show: scheme, host and port. */
export function showForkUrl(forkUrl: string): string {
  const { protocol, host, pathname, search } = new URL(forkUrl)
  return `${protocol}//${host.replace(keyLabel, '…')}${`${pathname}${search}` === '/' ? '' : '/…'}`
}

/** Removes the fork URL and its parts that may be keys, in any encoding. Removes only the URL from a node's `"result"`. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const { username, password, pathname, search, hash, hostname } = new URL(forkUrl)
  const words = [...`${pathname}${search}${hash}`.split(/[/?#&=]/), ...(hostname.match(keyLabel) ?? [])]
  // Shorter parts such as `v2` or `main` are words, but a password may be short.
  const secrets = [...words.filter(({ length }) => length >= 6), username, password]
    .flatMap((part) => [part, decoded(part)])
    .flatMap((form) => [form, encodeURIComponent(form), JSON.stringify(form).slice(1, -1)])
    .concat(basicAuthorization({ username, password })?.slice('Basic '.length) ?? '')
    .filter((form) => form !== '' && !text.startsWith('"result"'))
    .sort((a, b) => b.length - a.length) // a shorter one may be part of a longer one
  const sameHost = `https?://[^\\s"'<>()]*${escaped(hostname)}[^\\s"'<>()]*`
  return text.replace(new RegExp([sameHost, ...secrets.map(escaped)].join('|'), 'gi'), '<fork url>')
}

/** The header that carries a URL's user and password, as RFC 7617 says. */
export function basicAuthorization(url: Pick<URL, 'username' | 'password'>): string | undefined {
  const user = `${decoded(url.username)}:${decoded(url.password)}`
  return user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
}

/** Percent-decodes a text; invalid encodings are returned unchanged. */
const decoded = (text: string) => attempt(() => decodeURIComponent(text)) ?? text

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
