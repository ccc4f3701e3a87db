import { attempt } from './attempt.ts'

/** Returns `undefined` for an invalid URL. Not all supported browsers have `URL.canParse`. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return attempt(() => new URL(text, base))
}

/** Returns `undefined` for other schemes, and for a URI such as `https://a\\@b`, because parsers disagree on its host. */
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
