import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { OpenDatabase } from './database.ts'
import { DatabaseUnavailableError, databaseOf, isConnectionLost, planSettings } from './databaseOf.ts'
import { migrate } from './migrate.ts'

/** Returns the URL without user and password, to show in messages. */
export function checkDatabaseUrl(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  // The text may be a password, so the error does not show it.
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new InvalidSandboxOptionsError('databaseUrl is not a PostgreSQL URL.', {
      field: 'databaseUrl',
      fix: 'Pass postgresql://user:password@host:5432/database. Percent-encode special characters in the password.',
    })
  const host = url.hostname || url.searchParams.get('host') || 'localhost'
  return `${host}:${url.port || '5432'}${url.pathname}`
}

export declare namespace checkDatabaseUrl {
  type ErrorType = InvalidSandboxOptionsError
}

/** The service's tables have their own schema, so that the database may have other tables. */
export async function openPostgres(databaseUrl: string): Promise<OpenDatabase> {
  const place = checkDatabaseUrl(databaseUrl)
  // Loaded only here, because most services use PGlite.
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'redeemkit',
    connectionTimeoutMillis: 5_000,
    // Otherwise, statements wait forever if the server hangs or the network drops packets.
    query_timeout: statementMs,
    keepAlive: true,
    onConnect: async (client) => {
      const settings = [`search_path=${schemaName}`, ...planSettings, ...keepaliveSettings]
      await client.query(settings.map((one) => `set ${one}`).join('; '))
    },
  })
  // The next statement reports a lost connection. Without a listener, the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let isConnected = false
  try {
    const first = await pool.connect()
    first.release()
    isConnected = true
    const database = databaseOf(pool)
    await migrate(database, schemaName)
    return { database, isShared: true, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw describeFailure(error, { place, isConnected }) ?? error
  }
}

export declare namespace openPostgres {
  type ErrorType = DatabaseUnavailableError | InvalidSandboxOptionsError
}

const schemaName = 'redeemkit'

/** Longer than any statement takes, including its wait for a lock. */
const statementMs = 15_000

/** After 25 s, the server frees the locks of a connection that the network lost. The default is two hours. */
const keepaliveSettings = ['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3']

/** Creates an error with a fix. Does not quote the server's message, which may contain the URL. */
function describeFailure(
  cause: unknown,
  { place, isConnected }: { place: string; isConnected: boolean },
): DatabaseUnavailableError | InvalidSandboxOptionsError | undefined {
  const { code } = readForeign(cause) ?? {}
  const text = cause instanceof Error ? cause.message : ''
  if (cause instanceof DatabaseUnavailableError || isConnectionLost(cause))
    return isConnected
      ? new DatabaseUnavailableError(`PostgreSQL at ${place} did not prepare the tables.`, {
          field: 'databaseUrl',
          fix: `Start again. If this repeats after ${statementMs / 1000} s, another connection locks the tables: find it in pg_locks, and end it.`,
          cause,
        })
      : new DatabaseUnavailableError(`No PostgreSQL server responds at ${place}.`, {
          field: 'databaseUrl',
          fix: 'Start the server, or pass the URL of a running one.',
          cause,
        })
  const refusal = refusals.find(({ codes, said }) => codes.includes(String(code)) || said?.test(text))
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
    what: 'PostgreSQL rejected the user and password',
    fix: "Correct user and password in databaseUrl, or allow them in the server's pg_hba.conf.",
  },
  {
    codes: ['3D000'],
    what: 'The database does not exist',
    fix: 'Create it with createdb, or correct the name at the end of databaseUrl.',
  },
  {
    codes: ['42501'],
    what: 'The user may not create tables in the database',
    fix: 'Run as the owner of the database: grant create on database the_database to the_user',
  },
  {
    codes: [],
    said: /SSL/,
    what: 'The encryption settings do not match the PostgreSQL server',
    fix: 'Set sslmode in databaseUrl: ?sslmode=disable for a server without encryption, ?sslmode=require for one that requires it.',
  },
]
