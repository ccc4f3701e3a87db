/**
 * A copy of a request as it can stand in a query key: without functions and with bigints as text, so that every hash of TanStack
 * Query takes it, and a server's cache travels to the page.
 */
export function plainKey(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
  return text === undefined ? null : JSON.parse(text)
}
