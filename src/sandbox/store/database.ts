import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as tables from './tables.ts'

/** The one type that PGlite and PostgreSQL share. */
export type Database = PgDatabase<PgQueryResultHKT, typeof tables>
