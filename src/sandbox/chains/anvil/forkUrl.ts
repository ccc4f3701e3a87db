import { attempt } from '../../../redeemkit/core/attempt.ts'
import { describeType, showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'

/** Checks the options of a fork. `forkUrl` from an unset environment variable is an error, so that no fresh chain starts by mistake. */
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

/** A long label in a host name may be an API key. */
const keyLabel = /[^.:]{20,}/g

/** The part of a fork URL that messages may show: scheme, host and port. */
export function showForkUrl(forkUrl: string): string {
  const { protocol, host, pathname, search } = new URL(forkUrl)
  return `${protocol}//${host.replace(keyLabel, '…')}${`${pathname}${search}` === '/' ? '' : '/…'}`
}

/** Removes from a text the fork URL and those parts of it that may be keys, in any encoding. A node's `"result"` loses only the URL. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const { username, password, pathname, search, hash, hostname } = new URL(forkUrl)
  const words = [...`${pathname}${search}${hash}`.split(/[/?#&=]/), ...(hostname.match(keyLabel) ?? [])]
  // A part such as `v2` or `main` is too short for a key, but a password may be short.
  const secrets = [...words.filter(({ length }) => length >= 6), username, password]
    .flatMap((part) => [part, decoded(part)])
    .flatMap((form) => [form, encodeURIComponent(form), JSON.stringify(form).slice(1, -1)])
    .concat(basicAuthorization({ username, password })?.slice('Basic '.length) ?? '')
    .filter((form) => form !== '' && !text.startsWith('"result"'))
    .sort((a, b) => b.length - a.length) // longest first, because a secret may contain a shorter one
  const sameHost = `https?://[^\\s"'<>()]*${escaped(hostname)}[^\\s"'<>()]*`
  return text.replace(new RegExp([sameHost, ...secrets.map(escaped)].join('|'), 'gi'), '<fork url>')
}

/** Returns the value of the `authorization` header for a URL with credentials (RFC 7617). */
export function basicAuthorization(url: Pick<URL, 'username' | 'password'>): string | undefined {
  const user = `${decoded(url.username)}:${decoded(url.password)}`
  return user === ':' ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
}

/** A text with an invalid encoding stays unchanged. */
const decoded = (text: string) => attempt(() => decodeURIComponent(text)) ?? text

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
