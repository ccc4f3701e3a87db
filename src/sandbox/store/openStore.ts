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
 * Opens the service's database: PGlite in memory or in a folder, or a PostgreSQL server, which several processes may share.
 *
 * @throws {@link FolderInUseError} if another process uses the folder, {@link DatabaseUnavailableError} if the server cannot be
 * reached, {@link InvalidSandboxOptionsError} if folder or server cannot be used
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
    /** Folder of the database. It is always locked. Default: the database is in memory. */
    dataDir?: string | undefined
    /** `postgresql://user:password@host:port/database`. The tables are in the schema `redeemkit`. */
    databaseUrl?: string | undefined
    /** Called once the folder is locked, before the database is open. */
    onLocked?: (() => void) | undefined
  }
  type ErrorType =
    | lockFolder.ErrorType
    | checkOptions.ErrorType
    | checkDatabaseUrl.ErrorType
    | openPglite.ErrorType
    | openPostgres.ErrorType
}

export type Store = OpenDatabase & { queue: JobQueue }

/** Converts a store from a caller of the public API to its internal type. */
export function toStore(store: { close: () => Promise<void> }): Store {
  if (!('database' in store && is(store.database, PgDatabase) && 'queue' in store))
    throw new InvalidSandboxOptionsError('The store was not created by openStore.', {
      field: 'store',
      fix: 'Pass the result of openStore.',
    })
  return {
    // The type cannot be checked at run time, but only `openStore` creates an object with this property.
    database: store.database as Database,
    queue: store.queue as JobQueue,
    isShared: 'isShared' in store && store.isShared === true,
    close: store.close,
  }
}
