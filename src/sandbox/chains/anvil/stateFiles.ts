import { existsSync, readFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/**
 * The files that a chain is kept in:
 *
 * - `84532.json`: the newest checkpoint, written whole and then renamed into place
 * - `84532.json.previous`: the one before
 * - `84532.json.exit`: what Anvil writes when it ends; newer than both, and cut off when it was killed meanwhile
 */
export function stateFiles(path: string): StateFiles {
  const previous = `${path}.previous`
  const exit = `${path}.exit`
  return {
    exit,
    candidates: () => {
      // Without a checkpoint the chain was ended before it was ready to be kept.
      const kept = [path, previous].filter((file) => existsSync(file))
      return kept.length > 0 && existsSync(exit) ? [exit, ...kept] : kept
    },
    isWhole: (file) => {
      try {
        JSON.parse(readFileSync(file, 'utf8'))
        return true
      } catch {
        return false
      }
    },
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
    },
    write: async (dump) => {
      const text = await unzip(Buffer.from(dump.slice(2), 'hex'))
      const half = `${path}.half`
      const file = await open(half, 'w', 0o600)
      await file.writeFile(text)
      await file.sync()
      await file.close()
      if (existsSync(path)) await rename(path, previous)
      await rename(half, path)
    },
  }
}

export type StateFiles = {
  /** Where Anvil writes at its end. */
  exit: string
  /** The files to start from, the newest first. */
  candidates: () => readonly string[]
  /** Whether a file was written to its end. */
  isWhole: (file: string) => boolean
  /** Keeps a file that cannot be used under another name, and returns that. */
  setAside: (file: string) => Promise<string>
  /** A chain has started from this file: from now on it is the newest checkpoint, and no older one is taken for newer. */
  adopt: (file: string | undefined) => Promise<void>
  /** Writes a checkpoint: what `anvil_dumpState` answers. */
  write: (dump: string) => Promise<void>
}

const unzip = promisify(gunzip)
