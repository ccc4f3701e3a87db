import { BaseError } from '../../core/errors/baseError.ts'

/**
 * Refuses what is over, or over in at most `marginSeconds`. Bounds are exclusive: at `validBefore` it is over.
 *
 * @throws {@link ExpiredError}
 */
export function checkNotExpired(validBefore: bigint, now: bigint, field: string, marginSeconds = 0n): void {
  if (validBefore > now + marginSeconds) return
  const left = validBefore - now
  throw new ExpiredError(
    left > 0n
      ? `It expires in ${left} s, and more than ${marginSeconds} s are needed.`
      : `It expired ${-left} s ago, at ${validBefore}.`,
    { field, fix: 'Prepare again, and check the clock of this machine.' },
  )
}

/**
 * Refuses what is not valid yet. Bounds are exclusive: at `validAfter` it is not.
 *
 * @throws {@link NotYetValidError}
 */
export function checkNotTooEarly(validAfter: bigint, now: bigint, field: string): void {
  if (validAfter < now) return
  throw new NotYetValidError(`It is valid only after ${validAfter}, and now is ${now}.`, {
    field,
    fix: 'Use 0 for "from now on", and check the clock of this machine.',
  })
}

/**
 * Refuses what would live longer than `maximumSeconds`.
 *
 * @throws {@link TooFarAheadError}
 */
export function checkNotTooFarAhead(
  validBefore: bigint,
  now: bigint,
  field: string,
  maximumSeconds: bigint,
): void {
  if (validBefore <= now + maximumSeconds) return
  throw new TooFarAheadError(
    `It expires in ${validBefore - now} s, and at most ${maximumSeconds} s are allowed.`,
    { field, fix: 'Prepare with an earlier expiry, and check the clock of this machine.' },
  )
}

/** Something whose time is over, or nearly. */
export class ExpiredError extends BaseError {
  override readonly name = 'ExpiredError'
}

/** Something whose time has not come. */
export class NotYetValidError extends BaseError {
  override readonly name = 'NotYetValidError'
}

/** Something that would live too long. */
export class TooFarAheadError extends BaseError {
  override readonly name = 'TooFarAheadError'
}
