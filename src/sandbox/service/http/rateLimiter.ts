import type { Clock } from '../../../redeemkit/core/time/clock.ts'

/** So many requests a second, and so many at once. */
export type RateLimit = { perSecond: number; burst: number }

/** Far above what one machine answers: whoever wants to see a 429 sets less. */
export const defaultRateLimit: RateLimit = { perSecond: 2_000, burst: 10_000 }

/** Callers that are remembered before those whose burst is full again are forgotten. */
const maxCallers = 10_000

/**
 * Counts the requests of each caller: a bucket of `burst` that fills by `perSecond`.
 *
 * @returns takes one request of a caller; tells for how many seconds the caller has to wait, 0 when it may go on
 */
export function rateLimiter(limit: RateLimit, now: Clock): (caller: string) => number {
  const { perSecond, burst } = limit
  const buckets = new Map<string, { left: number; at: number }>()
  const leftOf = (bucket: { left: number; at: number }, time: number) =>
    // A clock that was moved back fills nothing.
    Math.min(burst, bucket.left + (Math.max(0, time - bucket.at) / 1000) * perSecond)
  function forgetFull(time: number): void {
    for (const [caller, bucket] of buckets) if (leftOf(bucket, time) >= burst) buckets.delete(caller)
  }
  return (caller) => {
    const time = now()
    if (buckets.size >= maxCallers) forgetFull(time)
    const bucket = buckets.get(caller) ?? { left: burst, at: time }
    const left = leftOf(bucket, time)
    const mayGo = left >= 1
    buckets.set(caller, { left: mayGo ? left - 1 : left, at: time })
    return mayGo ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }
}
