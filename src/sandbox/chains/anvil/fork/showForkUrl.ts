/**
 * What a message may show of a fork origin's address: scheme, host and port. Keys stand in the path, in the query, before the `@`,
 * and with some providers as a long name in the host.
 */
export function showForkUrl(forkUrl: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(forkUrl)
  const host = hostname
    .split('.')
    .map((label) => (label.length >= keyLength ? '…' : label))
    .join('.')
  const rest = pathname === '/' && search === '' ? '' : '/…'
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${rest}`
}

/** Names of networks and providers are shorter than keys. */
const keyLength = 20
