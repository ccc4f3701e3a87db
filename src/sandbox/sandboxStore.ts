import { is } from 'drizzle-orm'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { InvalidSandboxOptionsError } from './errors.ts'
import type { Database } from './store/database.ts'
import type { FolderInUseError } from './store/lockFolder.ts'
import { openStore, type Store } from './store/openStore.ts'

/** An open database, for `createSandbox`. What is in it is the service's own: its declarations stay out of the package's. */
export type SandboxStore = { close: () => Promise<void> }

/**
 * Opens the service's database: in memory, or in a folder that survives this process.
 *
 * @throws {@link FolderInUseError} when another process has the folder open
 */
export async function openSandboxStore(options: openSandboxStore.Options = {}): Promise<SandboxStore> {
  return openStore(options)
}

export declare namespace openSandboxStore {
  type Options = {
    /** Folder for the rows. Default: memory. */
    dataDir?: string | undefined
  }
  type ErrorType = FolderInUseError
}

/**
 * The store with its database in it.
 *
 * @throws {@link InvalidSandboxOptionsError} for one that `openStore` did not open
 */
export function toStore(store: SandboxStore): Store {
  if (!('database' in store && is(store.database, PgDatabase)))
    throw new InvalidSandboxOptionsError('The store holds no database of this service.', {
      field: 'store',
      fix: 'Give what openStore returned.',
    })
  // The schema is no part of the value; `openStore` makes no other database.
  return { database: store.database as Database, close: store.close }
}
