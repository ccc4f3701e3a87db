import { type Column, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from './database.ts'

type Values = Record<string, unknown>
type Prepared<result> = { execute: (values: Values) => Promise<result> }

/**
 * Creates a frequent statement, with `given` and `rowsFrom` for its values. Drizzle builds it only once per connection, because
 * building takes longer than running it.
 */
export function statement<result>(
  build: (database: Database) => { prepare: (name: string) => Prepared<result> },
): (work: Pick<Database, '_'>, values: Values) => Promise<result> {
  const built = new WeakMap<object, Prepared<result>>()
  return (work, values) => {
    const { session } = work._
    // All transactions of a connection have one session, so each statement is built once for it. `databaseOf` sets its name.
    const prepared = built.get(session) ?? build(work as Database).prepare('')
    built.set(session, prepared)
    return prepared.execute(values)
  }
}

export function given(column: Column, name: string): SQL {
  const encoder = {
    mapToDriverValue: (value: unknown) => (value === null ? null : column.mapToDriverValue(value)),
  }
  return sql`${sql.param(sql.placeholder(name), encoder)}`
}

/** With parameters, a stored plan could not use a partial index. The states become SQL text, so they must be constants in the code. */
export function isOneOf<column extends Column>(column: column, states: readonly column['_']['data'][]): SQL {
  return sql`${column} in (${sql.raw(states.map((state) => `'${state}'`).join(', '))})`
}

/** The text is the same for any number of rows. Pass the result of `toRows` as the value `rows`. */
export function rowsFrom(table: PgTable): SQL {
  const values = Object.values(getTableColumns(table)).map((column) =>
    column.getSQLType() === 'serial'
      ? sql`nextval(pg_get_serial_sequence(${sql.raw(`'${getTableName(table)}', '${column.name}'`)}))`
      : sql`${sql.identifier(column.name)}`,
  )
  return sql`select ${sql.join(values, sql`, `)} from ${recordsOf(table, 'rows')}`
}

/** Returns a source for `from`: the rows of a table, passed as the value `name`. */
export function recordsOf(table: PgTable, name: string): SQL {
  return sql`json_populate_recordset(null::${table}, ${sql.placeholder(name)}::json)`
}

/** Returns the value for `rowsFrom`. Columns without a value are null. */
export function toRows<table extends PgTable>(
  table: table,
  rows: readonly Partial<table['$inferInsert']>[],
): string {
  const columns = Object.entries(getTableColumns(table))
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        columns.map(([key, column]) => {
          const value = (row as Values)[key] ?? undefined // a row has the columns' keys
          const isPlain = value === undefined || column.getSQLType() === 'jsonb'
          return [column.name, isPlain ? value : column.mapToDriverValue(value)]
        }),
      ),
    ),
  )
}
