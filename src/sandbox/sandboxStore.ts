import { openStore, type Store } from './store/openStore.ts'

/** An open database, for `createSandbox`. What is in it is the service's own: its declarations stay out of the package's. */
export type SandboxStore = { close: () => Promise<void> }

/**
 * Opens the service's database: in memory, or in a folder that survives this process.
 *
 * @throws FolderInUseError when another process has the folder open
 */
export async function openSandboxStore(options: openSandboxStore.Options = {}): Promise<SandboxStore> {
  return openStore(options)
}

export declare namespace openSandboxStore {
  type Options = {
    /** Folder for the rows. Default: memory. */
    dataDir?: string | undefined
  }
}

/** The store with its database, which it has by `openStore`: nothing else makes one. */
export function toStore(store: SandboxStore): Store {
  return store as Store
}
