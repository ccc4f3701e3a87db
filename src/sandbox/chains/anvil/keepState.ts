import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import type { Pipe } from './connectPipe.ts'

/**
 * Writes checkpoints while blocks are added, in at most a twentieth of the time, so that a kill loses only the most recent changes.
 * `node.hold` delays requests that change state, so that a checkpoint's blocks and state are consistent.
 *
 * @param options.isWritten whether the chain was loaded from its file, so that no first checkpoint is needed
 */
export async function keepState(options: {
  node: { ask: Pipe['ask']; hold: () => () => void }
  files: StateFiles
  isWritten: boolean
  onError: (error: unknown) => void
}): Promise<{ stop: () => Promise<void> }> {
  const { node, files, isWritten, onError } = options
  const ask = async (method: string, params: unknown[] = []) =>
    JSON.parse(`{${await node.ask(method, params)}`).result
  // Compares hashes, because block numbers repeat after a snapshot is restored.
  const newest = async (): Promise<string> => (await ask('eth_getBlockByNumber', ['latest', false])).hash
  let written = ''
  let stopped = false
  let endPause = () => {}
  const checkpoint = async () => {
    if ((await newest()) === written) return
    const release = node.hold()
    let dump: string
    let dumped: string
    try {
      let before: string
      do {
        before = await newest()
        dump = await ask('anvil_dumpState')
        dumped = await newest()
      } while (before !== dumped)
    } finally {
      release()
    }
    await files.write(dump)
    written = dumped
  }
  if (!isWritten) await checkpoint()
  const loop = async () => {
    let pauseMs = pauseMinimumMs
    let failed = false
    while (!stopped) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs).unref()
        endPause = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      if (stopped) return
      const started = performance.now()
      failed = await checkpoint().then(
        () => false,
        (error: unknown) => {
          // Saving is retried until it succeeds, but the failure is reported once. After `stop`, the chain may have ended.
          if (!stopped && !failed) onError(error)
          return true
        },
      )
      pauseMs = Math.max(pauseMinimumMs, 20 * (performance.now() - started))
    }
  }
  const looping = loop()
  return {
    stop: async () => {
      stopped = true
      endPause()
      await looping
    },
  }
}

const pauseMinimumMs = 500

/** Wraps a node so that requests that change its state can be delayed. */
export function heldBack({ ask }: Pipe): { ask: Pipe['ask']; hold: () => () => void } {
  let held: Promise<void> | undefined
  return {
    ask: async (method, params) => {
      if (/^(eth_send|evm_|hardhat_|anvil_(?!dumpState))/.test(method)) while (held !== undefined) await held
      return ask(method, params)
    },
    hold: () => {
      let release = () => {}
      held = new Promise((resolve) => {
        release = () => {
          held = undefined
          resolve()
        }
      })
      return release
    },
  }
}

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
