import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PoolClient, QueryConfig } from 'pg'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import type { Database } from './database.ts'

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

/** Whether the server cannot be reached or does not respond, or the disk is full. Such a statement can be repeated. */
export function isConnectionLost(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 8) return false
  const code: unknown = Reflect.get(error, 'code')
  if (typeof code === 'string') return states.test(code) || systemErrors.has(code)
  // Errors of `pg` itself have no code, so their messages are compared.
  if (clientErrorPattern.test(error.message)) return true
  // Node tries all IP addresses of a host name, and reports their failures together.
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error.cause]
  return parts.some((part) => isConnectionLost(part, depth + 1))
}

/** PostgreSQL's error classes: connection exception, server stopping or starting, insufficient resources such as a full disk. */
const states = /^(?:08\w{3}|57P0[1-5]|53\w{3})$/

const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // the socket file is missing
])

const clientErrorPattern =
  /^(?:Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Replaces errors of statements: drizzle's errors quote the statement's parameters, so a signature would be logged. */
export function guardStatements(database: Database): Database {
  const { session } = database._
  const prepare = session.prepareQuery.bind(session)
  session.prepareQuery = (...options) => {
    const query = prepare(...options)
    const execute = query.execute.bind(query)
    query.execute = (...values) =>
      execute(...values).catch((error: unknown) => {
        throw toStoreError(error)
      })
    return query
  }
  return database
}

/** Replaces errors of opening a transaction's connection, as `guardStatements` does. Does not change errors of its work. */
function guardTransactions(database: Database): Database {
  const { session } = database._
  const transaction = session.transaction.bind(session)
  session.transaction = async (work, config) => {
    let own: unknown
    const guarded = (inside: Parameters<typeof work>[0]) =>
      work(inside).catch((error: unknown) => {
        own = error
        throw error
      })
    return transaction(guarded, config).catch((error: unknown) => {
      throw error === own ? error : toStoreError(error)
    })
  }
  return database
}

export declare namespace guardStatements {
  type ErrorType = DatabaseUnavailableError | DatabaseStatementError
}

function toStoreError(error: unknown): BaseError | DatabaseUnavailableError | DatabaseStatementError {
  // A `BaseError` describes a row that cannot be read, and has no parameters.
  if (error instanceof BaseError) return error
  const { code } = readForeign(error) ?? {}
  const said = code === undefined ? '' : ` (${code})`
  if (isConnectionLost(error))
    return new DatabaseUnavailableError(`The database is unavailable${said}.`, {
      fix: 'Try again. If the connection was lost during a commit, the transaction may have been committed.',
      cause: error,
    })
  return new DatabaseStatementError(`The database rejected ${describe(error)}${said}.`, {
    fix: missing.has(String(code)) ? otherTables : undefined,
    cause: error,
  })
}

/** PostgreSQL's errors for a table or column that does not exist. */
const missing = new Set(['42P01', '42703'])

const otherTables =
  'Its tables belong to another version of this package. Pass a new data folder or database, or use that version.'

/** Names a statement's verb, table and violated constraint, which come from the code, and no values. */
function describe(error: unknown): string {
  if (!(error instanceof DrizzleQueryError)) return 'the statement'
  const { query, cause } = error
  const [, verb = 'statement'] = /^\s*(select|insert|update|delete)\b/i.exec(query) ?? []
  const [, table] = /\b(?:from|into|update) "(\w+)"/i.exec(query) ?? []
  const constraint: unknown = Reflect.get(Object(cause), 'constraint')
  const named = typeof constraint === 'string' && /^\w{1,63}$/.test(constraint)
  return ['the', verb, table && `on ${table}`, named && `because of ${constraint}`].filter(Boolean).join(' ')
}

/** The database cannot be reached. The transaction was rolled back, unless the connection was lost during its commit. */
export class DatabaseUnavailableError extends BaseError {
  override readonly name = 'DatabaseUnavailableError'
}

/** A statement failed. Its parameters are omitted, because they may contain signatures. */
export class DatabaseStatementError extends BaseError {
  override readonly name = 'DatabaseStatementError'
}
