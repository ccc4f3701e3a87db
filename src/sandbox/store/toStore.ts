import { is } from 'drizzle-orm'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Database } from './database.ts'
import type { JobQueue } from './openJobQueue.ts'
import type { Store } from './openStore.ts'

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
