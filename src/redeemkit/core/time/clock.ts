import { BaseError } from '../errors/baseError.ts'
import { showValue } from '../errors/showValue.ts'

/** A clock in milliseconds since 1970, as `Date.now`. Every function that needs the time takes one as `now`. */
export type Clock = () => number

/**
 * The clock's time in milliseconds. A clock that tells no time would make every comparison with it false, and what has
 * expired pass.
 *
 * @throws {@link InvalidClockError}
 */
export function readClock(now: Clock = Date.now): number {
  const time: unknown = typeof now === 'function' ? now() : undefined
  if (typeof time === 'number' && Number.isFinite(time) && time >= 0) return time
  throw new InvalidClockError(
    `The clock says ${showValue(typeof now === 'function' ? time : now)}, which is no time.`,
    {
      field: 'now',
      fix: 'Give a function that returns milliseconds since 1970, such as Date.now, or leave it out.',
    },
  )
}

/**
 * The clock's time in whole unix seconds, rounded down.
 *
 * @throws {@link InvalidClockError}
 */
export function unixSeconds(now?: Clock): bigint {
  return BigInt(Math.floor(readClock(now) / 1000))
}

/** A clock that tells no time. */
export class InvalidClockError extends BaseError {
  override readonly name = 'InvalidClockError'
}
