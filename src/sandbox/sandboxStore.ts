import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import type { InvalidSandboxOptionsError } from './errors.ts'
import type { DatabaseStatementError, DatabaseUnavailableError } from './store/databaseOf.ts'
import type { FolderInUseError } from './store/lockFolder.ts'
import { openStore } from './store/openStore.ts'

/** An open database for `createSandbox`. The type is opaque, so that database types stay out of the declarations. */
export type SandboxStore = { close: () => Promise<void> }

/**
 * Opens the service's database: in memory, in a folder that outlives this process, or on a PostgreSQL server.
 *
 * @throws {@link FolderInUseError} if another process uses the folder, DatabaseUnavailableError if no server responds
 */
export async function openSandboxStore(options: openSandboxStore.Options = {}): Promise<SandboxStore> {
  return openStore(options)
}

export declare namespace openSandboxStore {
  type Options = {
    /** Folder of the database. Default: the database is in memory. */
    dataDir?: string | undefined
    /** `postgresql://user:password@host:port/database`. The service uses the schema `redeemkit`. */
    databaseUrl?: string | undefined
  }
  type ErrorType =
    | FolderInUseError
    | InvalidSandboxOptionsError
    | InvalidOptionError
    | DatabaseUnavailableError
    | DatabaseStatementError
}
