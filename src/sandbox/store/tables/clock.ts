import { bigint, pgTable, text } from 'drizzle-orm/pg-core'

/** How far a developer has put the clock forward (PROTOCOL.md 2.10): one row, since chains that are kept are that far ahead, too. */
export const sandboxClock = pgTable('sandbox_clock', {
  name: text('name').primaryKey(),
  offsetMs: bigint('offset_ms', { mode: 'number' }).notNull(),
})
