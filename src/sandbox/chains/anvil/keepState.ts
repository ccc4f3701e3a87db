import type { Pipe } from './connectPipe.ts'
import type { StateFiles } from './stateFiles.ts'

/**
 * Writes a chain down now, unless it is, and again and again while blocks are added, until it is stopped: what a kill of everything at
 * once can take is the last moments.
 *
 * A checkpoint takes at most a twentieth of the time, however long the chain has become.
 *
 * @param options.isWritten the chain was read from its file: that is as good as a first checkpoint
 * @param options.node asks the chain; `hold` keeps back what changes it, so that the blocks and the state belong together
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
  // By its hash: a chain that was put back to a snapshot counts its blocks again.
  const newest = async (): Promise<string> => (await ask('eth_getBlockByNumber', ['latest', false])).hash
  let written = ''
  let stopped = false
  let endPause = () => {}
  const checkpoint = async () => {
    if ((await newest()) === written) return
    const release = node.hold()
    let dump: string
    try {
      let before: string
      do {
        before = await newest()
        dump = await ask('anvil_dumpState')
        written = await newest()
      } while (before !== written)
    } finally {
      release()
    }
    await files.write(dump)
  }
  if (!isWritten) await checkpoint()
  const loop = async () => {
    let pauseMs = pauseMinimumMs
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
      await checkpoint().catch((error: unknown) => {
        // A chain that has ended says so to whoever asks it.
        if (!stopped) onError(error)
      })
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
