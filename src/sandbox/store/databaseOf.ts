import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient, QueryConfig } from 'pg'
import type { Database } from './database.ts'
import { guardStatements, guardTransactions } from './guardStatements.ts'

type Connection = { query: (config: QueryConfig, values?: unknown[]) => Promise<unknown> }

/** The connections of a database: a pool of `pg`, or a single one. */
export type Connections = Connection & { connect: () => Promise<Connection & { release: () => void }> }

/** Creates the database of a client of `pg`. */
export function databaseOf(connections: Connections): Database {
  const nameOf = statementNames()
  const database = over(connections, nameOf)
  const known = new WeakMap<Connection, Database>()
  // Drizzle's own leaks a connection when `begin` fails; after ten failures none is left.
  database._.session.transaction = async (work, config) => {
    const connection = await connections.connect()
    try {
      const own = known.get(connection) ?? over(connection, nameOf)
      known.set(connection, own)
      return await own._.session.transaction(work, config)
    } finally {
      connection.release()
    }
  }
  return guardTransactions(database)
}

function over(connection: Connection, nameOf: (text: string) => string | undefined): Database {
  const client = {
    query: (config: QueryConfig, values?: unknown[]) =>
      connection.query({ ...config, name: nameOf(config.text) }, values),
  }
  // Drizzle only calls `query`. The tables only belong to the type; no query uses them by name.
  return guardStatements(drizzle(client as unknown as PoolClient) as unknown as Database)
}

/** Names statements, so that each connection parses one only once. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    // Statements vary by their number of rows. The frequent ones come first.
    if (names.size === mostNamed || text.length > 20_000 || !isRepeated.test(text)) return undefined
    const name = `statement ${names.size}`
    names.set(text, name)
    return name
  }
}

/**
 * PostgreSQL keeps the plan of a named statement, also when the table has grown since. So rows are looked up by index from the start: hash
 * joins, merge joins and scans read a whole table.
 */
export const planSettings = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map(
  (name) => `${name}=off`,
)

const mostNamed = 300
const isRepeated = /^\s*(?:select|insert|update|delete|with)\b/i
