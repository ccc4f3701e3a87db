import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient, QueryConfig } from 'pg'
import type { Database } from './database.ts'
import { guardStatements, guardTransactions } from './guardStatements.ts'

type Connection = { query: (config: QueryConfig, values?: unknown[]) => Promise<unknown> }

/** A pool of `pg`, or a single connection that behaves like one. */
export type Connections = Connection & { connect: () => Promise<TakenConnection> }
type TakenConnection = Connection & { release: () => void; end?: () => Promise<void> }

export function databaseOf(connections: Connections): Database {
  const nameOf = statementNames()
  const database = over(connections, nameOf)
  const known = new WeakMap<Connection, Database>()
  // Drizzle's own function leaks a connection if `begin` fails, so ten failures would exhaust the pool.
  database._.session.transaction = async (work, config) => {
    const connection = await connections.connect()
    try {
      const own = known.get(connection) ?? over(endedIfSilent(connection), nameOf)
      known.set(connection, own)
      return await own._.session.transaction(work, config)
    } finally {
      connection.release()
    }
  }
  return guardTransactions(database)
}

/** Closes a connection whose server did not respond in time, so that the rollback fails immediately. */
function endedIfSilent(connection: TakenConnection): Connection {
  return {
    query: (config, values) =>
      connection.query(config, values).catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') connection.end?.()
        throw error
      }),
  }
}

function over(connection: Connection, nameOf: (text: string) => string | undefined): Database {
  const client = {
    query: (config: QueryConfig, values?: unknown[]) =>
      connection.query({ ...config, name: nameOf(config.text) }, values),
  }
  // Drizzle calls only `query`. The tables are in the type only, because no query finds them by name.
  return guardStatements(drizzle(client as unknown as PoolClient) as unknown as Database)
}

/** Returns a function that names frequent statements. Each connection parses a named statement only once. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    // Statements vary with their number of rows, so only the first texts get a name. Frequent statements are among them.
    if (names.size === mostNamed || text.length > 20_000 || !isRepeated.test(text)) return undefined
    const name = `statement ${names.size}`
    names.set(text, name)
    return name
  }
}

/** PostgreSQL keeps a named statement's plan even after the table has grown. With these settings, plans use indexes from the start. */
export const planSettings = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map(
  (name) => `${name}=off`,
)

const mostNamed = 300
const isRepeated = /^\s*(?:select|insert|update|delete|with)\b/i
