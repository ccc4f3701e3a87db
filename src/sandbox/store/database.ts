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
