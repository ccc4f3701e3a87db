import { sql } from 'drizzle-orm'
import type { Database, DatabaseWork } from './database.ts'
import { jobSchema, sqlOf } from './openJobQueue.ts'

export type RowsCopy = {
  tables: readonly { name: string; rows: string }[]
  counters: readonly { name: string; value: string | null }[]
}

export async function copyRows(database: Database): Promise<RowsCopy> {
  return database.transaction(async (work) => {
    const tables = await tableNames(work)
    const selects = tables.map(
      (name) => `select '${name}' as name, coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
    )
    return {
      tables: (await rowsOf(work, selects.join(' union all '))) as RowsCopy['tables'], // the query selects these columns
      counters: (await rowsOf(
        work,
        `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as value
         from pg_sequences where schemaname in ('public', '${jobSchema}')`,
      )) as RowsCopy['counters'], // the query selects these columns
    }
  })
}

/** Replaces all rows of a database. If that fails, nothing is changed. */
export async function putBackRows(database: Database, copy: RowsCopy): Promise<void> {
  await database.transaction(async (work) => {
    // Disables triggers and foreign keys, so that the tables can be filled in any order.
    await work.execute(sql`set local session_replication_role = replica`)
    await work.execute(sql.raw(`truncate ${copy.tables.map(({ name }) => name).join(', ')}`))
    for (const { name, rows } of copy.tables)
      if (rows !== '[]')
        await work.execute(
          sql`insert into ${sql.raw(name)} select * from json_populate_recordset(null::${sql.raw(name)}, ${rows}::json)`,
        )
    for (const { name, value } of copy.counters)
      await work.execute(
        value === null
          ? sql.raw(`alter sequence ${name} restart`)
          : sql`select setval(${name}::regclass, ${value}::bigint)`,
      )
  })
}

/** Returns the quoted name of each table, with its schema. Omits the partitions of tables. */
async function tableNames(work: DatabaseWork): Promise<string[]> {
  const found = await rowsOf(
    work,
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', '${jobSchema}')
     order by 1`,
  )
  return found.map((row) => String(Reflect.get(Object(row), 'name')))
}

async function rowsOf(work: DatabaseWork, text: string): Promise<unknown[]> {
  // `sqlOf` uses only the session, which a transaction also has.
  return (await sqlOf(work as unknown as Database).executeSql(text)).rows
}
