import { BaseError } from './errors/baseError.ts'
import { showValue } from './errors/showValue.ts'

/** A clock that returns milliseconds since 1970, like `Date.now`. Every function that needs the time accepts a clock as `now`. */
export type Clock = () => number

/** Returns milliseconds. Throws for an invalid time: every comparison with it is false, so expired data would be accepted. */
export function readClock(now: Clock = Date.now): number {
  const time: unknown = typeof now === 'function' ? now() : undefined
  if (typeof time === 'number' && Number.isFinite(time) && time >= 0) return time
  throw new InvalidClockError(
    `The clock returned ${showValue(typeof now === 'function' ? time : now)}, which is not a time.`,
    {
      field: 'now',
      fix: 'Pass a function that returns milliseconds since 1970, such as Date.now, or leave it out.',
    },
  )
}

export function unixSeconds(now?: Clock): bigint {
  return BigInt(Math.floor(readClock(now) / 1000))
}

/** The clock did not return a valid time. */
export class InvalidClockError extends BaseError {
  override readonly name = 'InvalidClockError'
}
