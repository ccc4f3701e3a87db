import { attempt } from './attempt.ts'

/** Parses a URL. Returns `undefined` for an invalid one. `URL.canParse` is newer than the supported browsers. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return attempt(() => new URL(text, base))
}

/**
 * Returns the host of an http or https URI that is written as `URL` writes it, `undefined` for any other. Parsers do not agree on a
 * URI such as `https://a\\@b`.
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

/** Whether a connection is private: https, or http that stays on the local network. */
export function isSecureUrl({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  // loopback, names without a dot, and names reserved for tests
  const isHere = /^(127(\.\d+){3}|\[::1\]|[^.:[\]]+|.+\.(localhost|test))$/.test(hostname)
  return protocol === 'http:' && isHere
}
