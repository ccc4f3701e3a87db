import { DrizzleQueryError } from 'drizzle-orm'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import type { Database } from './database.ts'
import { DatabaseStatementError, DatabaseUnavailableError } from './errors.ts'

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
export function guardTransactions(database: Database): Database {
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
