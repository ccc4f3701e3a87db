import type { Clock } from '../../../redeemkit/core/clock.ts'

export type RateLimit = { perSecond: number; burst: number }

/** Far more requests than one machine can handle. To see a 429, set a lower limit. */
export const defaultRateLimit: RateLimit = { perSecond: 2_000, burst: 10_000 }

/** Maximum number of callers. Above it, callers whose bucket is full again are forgotten. */
const maxCallers = 10_000

/** A token bucket per caller. The returned function counts one request and returns the seconds to wait, or 0. */
export function rateLimiter(limit: RateLimit, now: Clock): (caller: string) => number {
  const { perSecond, burst } = limit
  const buckets = new Map<string, { left: number; at: number }>()
  const leftOf = (bucket: { left: number; at: number }, time: number) =>
    // If the clock is set back, nothing is refilled.
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
