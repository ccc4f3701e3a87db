import type { InvalidOptionError } from '../redeemkit/core/errors/inputErrors.ts'
import type { InvalidSandboxOptionsError } from './errors.ts'
import type { DatabaseStatementError, DatabaseUnavailableError } from './store/errors.ts'
import type { FolderInUseError } from './store/lockFolder.ts'
import { openStore } from './store/openStore.ts'

/** An open database, for `createSandbox`. What is in it is the service's own: its declarations stay out of the package's. */
export type SandboxStore = { close: () => Promise<void> }

/**
 * Opens the service's database: in memory, in a folder that survives this process, or on a PostgreSQL server.
 *
 * @throws {@link FolderInUseError} when another process has the folder open, DatabaseUnavailableError when no server answers
 */
export async function openSandboxStore(options: openSandboxStore.Options = {}): Promise<SandboxStore> {
  return openStore(options)
}

export declare namespace openSandboxStore {
  type Options = {
    /** Folder for the rows. Default: memory. */
    dataDir?: string | undefined
    /** `postgresql://user:password@host:port/database`: the rows are there, in the schema `redeemkit`. */
    databaseUrl?: string | undefined
  }
  type ErrorType =
    | FolderInUseError
    | InvalidSandboxOptionsError
    | InvalidOptionError
    | DatabaseUnavailableError
    | DatabaseStatementError
}
