/** A clock in milliseconds since 1970, as `Date.now`. Every function that needs the time takes one as `now`. */
export type Clock = () => number

/** The clock's time in whole unix seconds, rounded down. */
export function unixSeconds(now: Clock = Date.now): bigint {
  return BigInt(Math.floor(now() / 1000))
}
