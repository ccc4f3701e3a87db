import { type Clock, readClock } from '../../redeemkit/core/clock.ts'

export type MovableClock = Clock & {
  /** Offset from the underlying clock. */
  offsetMs: () => number
  /** @param milliseconds not negative */
  advance: (milliseconds: number) => void
  /** Restores an offset that a snapshot contains. */
  putBack: (offsetMs: number) => void
}

/** A clock that is already movable is returned unchanged. */
export function movableClock(now: Clock | undefined): MovableClock {
  if (now !== undefined && isMovable(now)) return now
  let offset = 0
  const clock: Clock = () => readClock(now) + offset
  return Object.assign(clock, {
    offsetMs: () => offset,
    advance: (milliseconds: number) => {
      offset += Math.max(0, milliseconds)
    },
    putBack: (offsetMs: number) => {
      offset = offsetMs
    },
  })
}

function isMovable(now: Clock): now is MovableClock {
  return 'offsetMs' in now && 'advance' in now
}
