import { eq, sql } from 'drizzle-orm'
import type { MovableClock } from '../process/movableClock.ts'
import type { DatabaseWork } from './database.ts'
import { sandboxClock } from './tables/index.ts'

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
