import { attempt } from './attempt.ts'

/** Not all supported browsers have `URL.canParse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return attempt(() => new URL(text, base))
}

/**
 * Returns the host of a plain http or https URI; `undefined` for any other URI, because parsers disagree on the host of a
 * URI such as
 * `https://a\\@b`.
 */
export function plainHost(uri: string): string | undefined {
  const url = parseUrl(uri)
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    uri.startsWith(url.origin) &&
    /^(?:[/?#][!-~]*)?$/.test(uri.slice(url.origin.length))
  return isPlain ? url.host : undefined
}

/** Https, or http to a local host. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  // loopback addresses, names without a dot, and names reserved for tests
  const isHere = /^(127(\.\d+){3}|\[::1\]|[^.:[\]]+|.+\.(localhost|test))$/.test(hostname)
  return protocol === 'http:' && isHere
}
