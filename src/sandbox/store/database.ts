import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as tables from './tables/index.ts'

/** The one type that PGlite and PostgreSQL share. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>

export type OpenDatabase = {
  database: Database
  /** Whether other processes may have it open, too. */
  isShared: boolean
  close: () => Promise<void>
}

/** The database inside a transaction of its own. */
export type DatabaseWork = Parameters<Parameters<Database['transaction']>[0]>[0]

/** A row of the journal. */
export type JournalRow = typeof tables.transactions.$inferSelect

/**
 * Runs work in a database transaction that no other one with the same key is in at once, in whatever process. The lock ends
 * with the transaction.
 *
 * The work uses what it is given, and waits for nothing but the database: PGlite has one connection.
 */
export function lockIn<result>(
  database: Database,
  key: string,
  work: (inside: DatabaseWork) => Promise<result>,
): Promise<result> {
  return database.transaction(async (inside) => {
    await inside.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    return work(inside)
  })
}
