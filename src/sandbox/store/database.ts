import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as tables from './tables/index.ts'

/** PGlite and PostgreSQL share this type. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>

export type OpenDatabase = {
  database: Database
  /** Whether other processes may use the database. */
  isShared: boolean
  close: () => Promise<void>
}

export type DatabaseWork = Parameters<Parameters<Database['transaction']>[0]>[0]

export type JournalRow = typeof tables.transactions.$inferSelect

/**
 * Runs `work` in a database transaction that holds the lock of a key. No other process can take the lock until the transaction ends.
 *
 * @param work must use the transaction that it receives, and wait only for the database, because PGlite has one connection
 */
export function lockIn<result>(
  database: Database,
  key: string,
  work: (inside: DatabaseWork) => Promise<result>,
): Promise<result> {
  return database.transaction(async (inside) => {
    await lockUntilEnd(inside, key)
    return work(inside)
  })
}

/** Takes the lock of a key, like `lockIn`, until the transaction ends. */
export async function lockUntilEnd(work: DatabaseWork, key: string): Promise<void> {
  await work.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}
