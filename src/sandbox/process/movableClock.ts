import { type Clock, readClock } from '../../redeemkit/core/time/clock.ts'

/** A clock that can be put forward, and goes on from there. */
export type MovableClock = Clock & {
  /** How far it was put forward, in milliseconds. */
  offsetMs: () => number
  /** @param milliseconds not negative: time never runs back */
  advance: (milliseconds: number) => void
  /** Puts it back to where it was at a snapshot: all that the time was told to goes back with it. */
  putBack: (offsetMs: number) => void
}

/** @param now the clock below; one that is movable already is returned as it is */
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
