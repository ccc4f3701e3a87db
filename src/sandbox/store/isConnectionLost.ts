/**
 * Whether an error says that the database's server is not there, or that a connection to it ended: nothing is wrong with
 * the statement, and the same may be tried again.
 */
export function isConnectionLost(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 8) return false
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'string') return states.test(code) || systemErrors.has(code)
  // The client's own errors have no code.
  if (clientWords.test(error.message)) return true
  // One address may have failed by each of its numbers.
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return parts.some((part) => isConnectionLost(part, depth + 1))
}

/** PostgreSQL's classes: connection exception, server shutting down or starting, too many connections. */
const states = /^(?:08\w{3}|57P0[1-5]|53300)$/

const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // a socket in the file system
])

const clientWords =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/
