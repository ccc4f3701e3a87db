import { eq, sql } from 'drizzle-orm'
import { type Clock, readClock } from '../../redeemkit/core/clock.ts'
import type { DatabaseWork } from './database.ts'
import { sandboxClock } from './tables/index.ts'

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

const name = 'service'

export async function restoreClock(
  database: Pick<DatabaseWork, 'select'>,
  clock: MovableClock,
): Promise<void> {
  const [row] = await database.select().from(sandboxClock).where(eq(sandboxClock.name, name))
  if (row !== undefined) clock.advance(row.offsetMs - clock.offsetMs())
}

/** Stores a clock's offset, unless another process has stored a greater offset. */
export async function keepClock(database: Pick<DatabaseWork, 'insert'>, clock: MovableClock): Promise<void> {
  const offsetMs = Math.ceil(clock.offsetMs())
  await database
    .insert(sandboxClock)
    .values({ name, offsetMs })
    .onConflictDoUpdate({
      target: sandboxClock.name,
      set: { offsetMs: sql`greatest(${sandboxClock.offsetMs}, ${offsetMs})` },
    })
}
