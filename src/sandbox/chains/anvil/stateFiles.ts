import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { attempt } from '../../../redeemkit/core/attempt.ts'

/**
 * Returns the files of a persisted chain:
 *
 * - `84532.json`: the newest checkpoint, written under another name and renamed once complete
 * - `84532.json.previous`: the checkpoint before it
 * - `84532.json.exit`: written by Anvil when it ends; newer than both, and truncated if Anvil was killed while writing
 * - `84532.json.ready`: present while the chain is persisted. Without it, `.exit` is ignored: it predates the chain's setup
 */
export function stateFiles(path: string): StateFiles {
  const previous = `${path}.previous`
  const exit = `${path}.exit`
  const ready = `${path}.ready`
  return {
    exit,
    candidates: () =>
      [...(existsSync(ready) ? [exit] : []), path, previous].filter((file) => existsSync(file)),
    isWhole: (file) => attempt(() => JSON.parse(readFileSync(file, 'utf8'))) !== undefined,
    setAside: async (file) => {
      const aside = `${file}.broken-${(await stat(file)).mtime.toISOString().replaceAll(':', '-')}`
      await rename(file, aside)
      return aside
    },
    adopt: async (file) => {
      if (file === exit) {
        if (existsSync(path)) await rename(path, previous)
        await rename(exit, path)
      } else await rm(exit, { force: true })
      await rm(ready, { force: true })
    },
    setReady: () => writeFile(ready, '', { mode: 0o600 }),
    write: async (dump) => {
      const text = await unzip(Buffer.from(dump.slice(2), 'hex'))
      const half = `${path}.half`
      await writeFile(half, text, { mode: 0o600, flush: true })
      if (existsSync(path)) await rename(path, previous)
      await rename(half, path)
    },
  }
}

export type StateFiles = {
  exit: string
  /** The files that the chain can start from, newest first. */
  candidates: () => readonly string[]
  isWhole: (file: string) => boolean
  /** Renames an unusable file and returns its new name. */
  setAside: (file: string) => Promise<string>
  /** Stores the file that the chain started from as the newest checkpoint. */
  adopt: (file: string | undefined) => Promise<void>
  /** Marks the chain as ready, so that Anvil's `.exit` file is used. */
  setReady: () => Promise<void>
  write: (dump: string) => Promise<void>
}

const unzip = promisify(gunzip)
