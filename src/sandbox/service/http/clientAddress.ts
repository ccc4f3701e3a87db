import type { Context } from 'hono'
import type { AppEnv } from './route.ts'

/**
 * The IP address of whoever opened the connection; undefined where there is no socket (`app.request`). What a header says about
 * it is not looked at: anybody may write one.
 */
export function clientAddress(context: Context<AppEnv>): string | undefined {
  // A server other than Node's gives something else, or nothing.
  const env: { incoming?: { socket?: { remoteAddress?: unknown } } } | undefined = context.env
  const address = env?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address.replace(/^::ffff:(?=\d+\.)/, '') : undefined
}
