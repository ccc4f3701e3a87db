import { sql } from 'drizzle-orm'
import { loadOnce } from '../concurrency.ts'
import type { Database } from './database.ts'
import { readMigrations } from './migrations.ts'
import { jobMigrations } from './openJobQueue.ts'

/**
 * Applies the migrations. Can be repeated, also by several processes. Drizzle's own migrator reads a folder, which the built package does
 * not have.
 *
 * @param schema created if missing; must come first in the connection's search path
 */
export async function migrate(database: Database, schema?: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // The lock prevents concurrent migrations. It is released when the transaction ends.
    await transaction.execute(sql`select pg_advisory_xact_lock(72657465)`)
    if (schema !== undefined) {
      // `if not exists` would require the right to create schemas, even for an existing schema.
      const made = await transaction.execute(sql`select 1 from pg_namespace where nspname = ${schema}`)
      if (rowsOf(made).length === 0) await transaction.execute(sql`create schema ${sql.identifier(schema)}`)
    }
    await transaction.execute(
      sql`create table if not exists redeemkit_migrations (name text primary key, applied_at timestamptz not null default now())`,
    )
    const done = new Set<unknown>(
      rowsOf(await transaction.execute(sql`select name from redeemkit_migrations`)).map(
        (row) => Object(row).name,
      ),
    )
    for (const { name, statements } of await allMigrations()) {
      if (done.has(name)) continue
      for (const statement of statements) await transaction.execute(sql.raw(statement))
      await transaction.execute(sql`insert into redeemkit_migrations (name) values (${name})`)
    }
  })
}

export const allMigrations = loadOnce(async () => [...readMigrations(), ...(await jobMigrations())])

function rowsOf(result: unknown): readonly unknown[] {
  if (typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows))
    return result.rows
  return []
}
