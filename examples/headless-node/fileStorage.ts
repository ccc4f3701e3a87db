import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lock } from 'proper-lockfile'
import type { PurchaseStorage } from 'redeemkit'

/** A folder as a storage: one file for each name. Several processes may share it. */
export type FileStorage = Omit<PurchaseStorage, 'getItem'> & {
  getItem: (name: string) => Promise<string | null>
  setItem: (name: string, value: string) => Promise<void>
  removeItem: (name: string) => Promise<void>
  keys: () => Promise<string[]>
  replaceItem: (name: string, expected: string | null, value: string | null) => Promise<boolean>
  /** Puts in the place of a value what `change` makes of it, in one step that no other process can come between. */
  update: (name: string, change: (value: string | null) => string | null) => Promise<void>
}

/**
 * Opens a folder as a storage, and makes it if there is none. Only this user may read it: what is in it can execute the purchases
 * that were signed, and nothing else.
 *
 * A value is on the disk before a call resolves, whole or not at all, whenever the process is killed.
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
    // The name itself is on the disk, too, when the folder is.
    const opened = await open(folder, 'r')
    await opened.sync().finally(() => opened.close())
  }

  /** Looks and writes as one step. Held for milliseconds; one that a killed process left is void after two seconds. */
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
