import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Service } from '../service.ts'
import { clientAddress } from './clientAddress.ts'
import { problem } from './problem.ts'
import { type RateLimit, rateLimiter } from './rateLimiter.ts'
import type { AppEnv } from './route.ts'

/** Counts requests by the address that they come from, and by the API key or session key that they carry. */
export function createRateCheck(service: Service, limit: RateLimit): (context: Context<AppEnv>) => void {
  const take = rateLimiter(limit, service.now)
  return (context) => {
    const { req } = context
    const key = req.header('authorization') ?? req.header(service.headers.sessionKey)
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
}
