import { describeType, showValue } from '../../../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../../../errors.ts'

/**
 * Checks the options of a fork. A `forkUrl` that is given as `undefined` or as empty text comes from an unset environment
 * variable: without this check a fresh chain would silently start instead of a fork.
 *
 * @param fields the names of the options, for errors
 */
export function checkForkOptions(
  given: { forkUrl: unknown; forkBlockNumber: unknown },
  fields = { forkUrl: 'forkUrl', forkBlockNumber: 'forkBlockNumber' },
): { forkUrl: string; forkBlockNumber: number | undefined } {
  const { forkUrl, forkBlockNumber } = given
  if (forkUrl === undefined || (typeof forkUrl === 'string' && forkUrl.trim() === ''))
    throw new InvalidSandboxOptionsError(
      `${fields.forkUrl} is ${forkUrl === undefined ? 'undefined' : 'empty'}.`,
      {
        field: fields.forkUrl,
        fix: 'Set the environment variable it is read from, or omit the option to start a fresh chain.',
      },
    )
  if (typeof forkUrl !== 'string' || !URL.canParse(forkUrl) || !/^https?:$/.test(new URL(forkUrl).protocol))
    throw new InvalidSandboxOptionsError(
      `${fields.forkUrl} is ${describeType(forkUrl)}, not the URL of a JSON-RPC endpoint.`,
      { field: fields.forkUrl, fix: 'Pass a URL that begins with https:// or http://.' },
    )
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

/** Longer labels in a host name may be keys. */
const hostKeyLength = 20

/** The part of a fork URL that messages may show: scheme, host and port. */
export function showForkUrl(forkUrl: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(forkUrl)
  const host = hostname
    .split('.')
    .map((label) => (label.length >= hostKeyLength ? '…' : label))
    .join('.')
  const rest = pathname === '/' && search === '' ? '' : '/…'
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${rest}`
}

const mark = '<fork url>'

/** Removes the fork URL, and every part of it that may be a key in any encoding, from Anvil's or the endpoint's text. */
export function hideForkUrl(text: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return text
  const url = new URL(forkUrl)
  const sameHost = new RegExp(`\\w+://[^\\s"'<>()]*${escaped(url.hostname)}[^\\s"'<>()]*`, 'gi')
  let hidden = hideAddress(text, forkUrl).replace(sameHost, mark)
  for (const part of secretsOf(url))
    for (const form of formsOf(part)) hidden = hidden.replace(new RegExp(escaped(form), 'gi'), '<hidden>')
  return hidden
}

/** Does the same for a node's answer. Results keep their text apart from the URL itself; errors may quote the endpoint. */
export function hideForkUrlInAnswer(tail: string, forkUrl: string | undefined): string {
  if (forkUrl === undefined) return tail
  return tail.startsWith('"error"') ? hideForkUrl(tail, forkUrl) : hideAddress(tail, forkUrl)
}

function hideAddress(text: string, forkUrl: string): string {
  const { href } = new URL(forkUrl)
  return [forkUrl, href, href.replace(/\/$/, '')].reduce(
    (hidden, form) => hidden.replaceAll(form, mark),
    text,
  )
}

/** User, password, path segments, query values and long host labels, longest first: a shorter one may be part of it. */
function secretsOf({ username, password, pathname, search, hostname, hash }: URL): string[] {
  const parts = [
    ...pathname.split('/'),
    ...search.slice(1).split(/[&=]/),
    ...hash.slice(1).split(/[&=]/),
    ...hostname.split('.').filter((label) => label.length >= hostKeyLength),
    Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64'),
    // Shorter parts such as `v2` or `main` are words, but a password may be short.
  ].filter((part) => part.length >= 6)
  return [...parts, username, password].filter(Boolean).sort((a, b) => b.length - a.length)
}

function formsOf(part: string): Set<string> {
  const plain = decoded(part)
  return new Set([part, plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)])
}

/** Percent-decodes a text; invalid encodings are returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
