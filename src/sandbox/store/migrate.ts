import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { readMigrations } from './migrations.ts'
import { jobMigrations } from './openJobQueue.ts'

/**
 * Brings the tables of a database to the present shape. Safe to call by several processes at once, and again.
 *
 * Not drizzle's migrator: that reads a folder, which the built package does not have.
 *
 * @param schema made when it is missing; the connection's search path has it first
 */
export async function migrate(database: Database, schema?: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // Two migrations at once collide; the lock ends with the transaction.
    await transaction.execute(sql`select pg_advisory_xact_lock(72657465)`)
    if (schema !== undefined) {
      // Looked for first: who may not make it may have been given it.
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
    for (const { name, statements } of [...readMigrations(), ...(await jobMigrations())]) {
      if (done.has(name)) continue
      for (const statement of statements) await transaction.execute(sql.raw(statement))
      await transaction.execute(sql`insert into redeemkit_migrations (name) values (${name})`)
    }
  })
}

function rowsOf(result: unknown): readonly unknown[] {
  if (typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows))
    return result.rows
  return []
}
