import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Database, OpenDatabase } from './database.ts'
import { lockFolder } from './lockFolder.ts'
import { type JobQueue, openJobQueue } from './openJobQueue.ts'
import { openPglite } from './openPglite.ts'
import { checkDatabaseUrl, openPostgres } from './openPostgres.ts'

/**
 * Opens the service's database: PGlite in memory, or in a folder that survives this process; or a PostgreSQL server, which
 * several processes may have open at once.
 *
 * The tables and every query are plain PostgreSQL.
 *
 * @throws {@link FolderInUseError} when another process has the folder open, {@link DatabaseUnavailableError} when no server
 * answers, {@link InvalidSandboxOptionsError} when folder or server cannot be used
 */
export async function openStore(options: openStore.Options = {}): Promise<Store> {
  checkOptions(options, { dataDir: 'string?', databaseUrl: 'string?', onLocked: 'function?' })
  const { dataDir, databaseUrl, onLocked } = options
  if (databaseUrl !== undefined) checkDatabaseUrl(databaseUrl)
  const unlock = dataDir === undefined ? () => {} : await lockFolder(dataDir)
  onLocked?.()
  try {
    const opened = await (databaseUrl === undefined
      ? openPglite(dataDir && join(dataDir, 'database'))
      : openPostgres(databaseUrl))
    const queue = await openJobQueue(opened.database, opened)
    let closing: Promise<void> | undefined
    return {
      ...opened,
      queue,
      close: () => {
        closing ??= queue.close().then(opened.close).finally(unlock)
        return closing
      },
    }
  } catch (cause) {
    unlock()
    throw cause
  }
}

export declare namespace openStore {
  type Options = {
    /** Folder for the rows, and locked in any case. Default: memory. */
    dataDir?: string | undefined
    /** `postgresql://user:password@host:port/database`: the rows are there, in the schema `redeemkit`. */
    databaseUrl?: string | undefined
    /** The folder is this process's from now on, before the database is open. */
    onLocked?: (() => void) | undefined
  }
  type ErrorType =
    | lockFolder.ErrorType
    | checkOptions.ErrorType
    | checkDatabaseUrl.ErrorType
    | openPglite.ErrorType
    | openPostgres.ErrorType
}

/** An open database, with the work for later in it. */
export type Store = OpenDatabase & { queue: JobQueue }

/**
 * A store as the package's public types name it, with its database in it.
 *
 * @throws {@link InvalidSandboxOptionsError} for one that `openStore` did not open
 */
export function toStore(store: { close: () => Promise<void> }): Store {
  if (!('database' in store && is(store.database, PgDatabase) && 'queue' in store))
    throw new InvalidSandboxOptionsError('The store holds no database of this service.', {
      field: 'store',
      fix: 'Give what openStore returned.',
    })
  return {
    // The schema is no part of the value; `openStore` makes no other database, and no other queue.
    database: store.database as Database,
    queue: store.queue as JobQueue,
    isShared: 'isShared' in store && store.isShared === true,
    close: store.close,
  }
}
