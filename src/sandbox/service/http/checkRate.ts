import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Service } from '../service.ts'
import { clientAddress } from './clientAddress.ts'
import { problem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * Counts a request by the address that it comes from, and by the API key or session key that it carries.
 *
 * @param take of `rateLimiter`
 * @throws a 429 with `retry-after`
 */
export function checkRate(
  { headers }: Pick<Service, 'headers'>,
  context: Context<AppEnv>,
  take: (caller: string) => number,
): void {
  const { req } = context
  const key = req.header('authorization') ?? req.header(headers.sessionKey)
  const callers = [
    `address ${clientAddress(context) ?? 'of this process'}`,
    // No secret stays in memory.
    ...(key === undefined ? [] : [createHash('sha256').update(key).digest('base64')]),
  ]
  const seconds = Math.max(...callers.map(take))
  if (seconds > 0)
    throw problem('RATE_LIMITED', `Too many requests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
}
