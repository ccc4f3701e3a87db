import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lock } from 'proper-lockfile'
import type { PurchaseStorage } from 'redeemkit'

/** A folder as a storage, one file per name. Several processes may share it. */
export type FileStorage = Omit<PurchaseStorage, 'getItem'> & {
  getItem: (name: string) => Promise<string | null>
  setItem: (name: string, value: string) => Promise<void>
  removeItem: (name: string) => Promise<void>
  keys: () => Promise<string[]>
  replaceItem: (name: string, expected: string | null, value: string | null) => Promise<boolean>
  /** Replaces a value with the result of `change`, atomically across processes. */
  update: (name: string, change: (value: string | null) => string | null) => Promise<void>
}

/**
 * Only this user may read the folder, because it contains signed purchases. Before a call resolves, its value is on disk. If the process
 * is killed, the file contains either the old or the new value.
 */
export async function fileStorage(folder: string): Promise<FileStorage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (name: string) => join(folder, `${encodeURIComponent(name)}.json`)

  async function getItem(name: string): Promise<string | null> {
    return readFile(fileOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  }

  async function put(name: string, value: string | null): Promise<void> {
    if (value === null) await rm(fileOf(name), { force: true })
    else {
      const next = `${fileOf(name)}.${process.pid}.new`
      const file = await open(next, 'w', 0o600)
      try {
        await file.writeFile(value)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(next, fileOf(name))
    }
    // Syncing the folder makes the file name durable.
    const opened = await open(folder, 'r')
    await opened.sync().finally(() => opened.close())
  }

  /** Runs a read and a write under a lock. The lock of a killed process expires after two seconds. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await lock(folder, {
      stale: 2_000,
      retries: { retries: 100, minTimeout: 50, maxTimeout: 100, factor: 1 },
    })
    return work().finally(leave)
  }

  return {
    getItem,
    setItem: (name, value) => alone(() => put(name, value)),
    removeItem: (name) => alone(() => put(name, null)),
    keys: async () =>
      (await readdir(folder))
        .filter((file) => file.endsWith('.json'))
        .map((file) => decodeURIComponent(file.slice(0, -'.json'.length))),
    update: (name, change) => alone(async () => put(name, change(await getItem(name)))),
    replaceItem: (name, expected, value) =>
      alone(async () => {
        if ((await getItem(name)) !== expected) return false
        await put(name, value)
        return true
      }),
  }
}
