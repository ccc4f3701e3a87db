import type { Pool } from 'pg'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Database, OpenDatabase } from './database.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { guardStatements, isConnectionLost } from './guardStatements.ts'
import { migrate } from './migrate.ts'

/**
 * Takes the address of a PostgreSQL server.
 *
 * @returns where it is, without user and password: what a message may show
 * @throws {@link InvalidSandboxOptionsError} for text that is no such address
 */
export function checkDatabaseUrl(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  // A password may have been meant, so the text is not shown.
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new InvalidSandboxOptionsError('databaseUrl is not the address of a PostgreSQL server.', {
      field: 'databaseUrl',
      fix: 'Give postgresql://user:password@host:5432/database, with special characters of the password percent-encoded.',
    })
  const host = url.hostname || url.searchParams.get('host') || 'localhost'
  return `${host}:${url.port || '5432'}${url.pathname}`
}

export declare namespace checkDatabaseUrl {
  type ErrorType = InvalidSandboxOptionsError
}

/**
 * Opens a database of a PostgreSQL server. Several processes may do so at once.
 *
 * All of it is in a schema of its own, so that tables of others in the same database stay as they are.
 *
 * @throws {@link DatabaseUnavailableError} when no server answers, {@link InvalidSandboxOptionsError} when it refuses
 */
export async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const place = checkDatabaseUrl(databaseUrl)
  // Most services run without it.
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'redeemkit',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(`set search_path to ${schemaName}`)
    },
  })
  // A lost connection is told by the statement that needs it; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    const first = await pool.connect()
    first.release()
    const database = await databaseOf(pool)
    await migrate(database, schemaName)
    return { database, isShared: true, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    const failure = describeFailure(error, place)
    if (failure === undefined) throw error
    throw failure
  }
}

export declare namespace openPostgres {
  type ErrorType = DatabaseUnavailableError | InvalidSandboxOptionsError
}

const schemaName = 'redeemkit'

async function databaseOf(pool: Pool): Promise<Database> {
  const { drizzle } = await import('drizzle-orm/node-postgres')
  // The tables are part of the type alone: no query of ours goes by their names.
  const database = drizzle(pool) as unknown as Database
  const { session } = database._
  // Drizzle's own keeps a connection for ever when its `begin` fails: after ten of them there is none left.
  session.transaction = async (work, config) => {
    const client = await pool.connect()
    try {
      const alone = drizzle(client) as unknown as Database // as above
      return await alone._.session.transaction(work, config)
    } finally {
      client.release()
    }
  }
  return guardStatements(database)
}

/** Why the database cannot be used, and what to do: the server's own words may quote the address. */
function describeFailure(
  cause: unknown,
  place: string,
): DatabaseUnavailableError | InvalidSandboxOptionsError | undefined {
  const { code } = readForeign(cause) ?? {}
  const words = cause instanceof Error ? cause.message : ''
  if (cause instanceof DatabaseUnavailableError || isConnectionLost(cause))
    return new DatabaseUnavailableError(`No PostgreSQL server answers at ${place}.`, {
      field: 'databaseUrl',
      fix: 'Start the server, or give the address of one that runs.',
      cause,
    })
  const refusal = refusals.find(({ codes, said }) => codes.includes(String(code)) || said?.test(words))
  if (refusal === undefined) return undefined
  return new InvalidSandboxOptionsError(`${refusal.what} at ${place}.`, {
    field: 'databaseUrl',
    fix: refusal.fix,
    cause,
  })
}

const refusals: readonly { codes: readonly string[]; said?: RegExp; what: string; fix: string }[] = [
  {
    codes: ['28P01', '28000'],
    said: /^SASL/,
    what: 'PostgreSQL does not take this user and password',
    fix: 'Correct user and password in databaseUrl, or let them in by the pg_hba.conf of the server.',
  },
  {
    codes: ['3D000'],
    what: 'There is no such database',
    fix: 'Make it with createdb, or correct the name at the end of databaseUrl.',
  },
  {
    codes: ['42501'],
    what: 'The user may not make tables in the database',
    fix: 'Run as its owner: grant create on database the_database to the_user',
  },
  {
    codes: [],
    said: /SSL/,
    what: 'Encryption was not agreed on with PostgreSQL',
    fix: 'Set sslmode in databaseUrl: ?sslmode=disable for a server without it, ?sslmode=require for one that asks for it.',
  },
]
