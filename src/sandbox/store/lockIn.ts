import { sql } from 'drizzle-orm'
import type { Database, DatabaseWork } from './database.ts'

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
