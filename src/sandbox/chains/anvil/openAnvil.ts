import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { processStart } from '../../process/processStart.ts'
import type { AnvilNotInstalledError } from './anvilBinary.ts'
import { type ChainConnectionError, connectPipe, type Pipe } from './connectPipe.ts'
import { checkForkOrigin } from './fork/checkForkOrigin.ts'
import type { ForkOriginError } from './fork/errors.ts'
import { hideForkUrlInAnswer } from './fork/hideForkUrl.ts'
import { keepState } from './keepState.ts'
import { type AnvilStartError, startProcess, stopTimeoutMs } from './startProcess.ts'
import { type StateFiles, stateFiles } from './stateFiles.ts'

/** An Anvil that only this process can ask. */
export type OpenAnvil = {
  chainId: number
  /** The block that it was forked at; false for a chain of its own. */
  forked: false | { blockNumber: number }
  /** Asks it; see `Pipe`. Nothing that it answers shows the address of the fork origin. */
  ask: Pipe['ask']
  /** From now on the chain is kept in `statePath`, to which a first checkpoint is written when it was not read from there. Without one: nothing. */
  keep: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts one Anvil and resolves when it answers on a socket in a folder that is this user's alone. Its port is where nobody
 * can connect (`unreachableHost`).
 *
 * It is gone when `stop()` resolves, when this process ends, and when this process is killed; so is its folder.
 *
 * @throws {@link AnvilNotInstalledError}; {@link ForkOriginError} when `forkUrl` is of no use; {@link AnvilStartError} with Anvil's
 * own words when it does not come up
 */
export async function openAnvil(options: openAnvil.Options): Promise<OpenAnvil> {
  const { chainId, forkUrl, forkBlockNumber, isOwnOrigin = false, statePath, onWarning = () => {} } = options
  if (forkUrl !== undefined && !isOwnOrigin) await checkForkOrigin({ forkUrl, chainId, forkBlockNumber })
  const files = statePath === undefined || forkUrl !== undefined ? undefined : stateFiles(statePath)
  if (statePath !== undefined) await predecessorGone(statePath)
  for (;;) {
    const [from] = files?.candidates() ?? []
    try {
      const anvil = await openOn(options, { files, from })
      await files?.adopt(from)
      return anvil
    } catch (cause) {
      // Only a file that was cut off is given up: it can never be read.
      if (from === undefined || files === undefined || files.isWhole(from)) throw cause
      const aside = await files.setAside(from)
      const [older] = files.candidates()
      onWarning(
        `The file of chain ${chainId}, ${basename(from)}, was cut off; it is kept as ${basename(aside)}. ` +
          (older === undefined
            ? 'There is no older one: the chain starts anew, empty.'
            : `The chain goes on from ${basename(older)}; what came after that is not on it.`),
      )
    }
  }
}

export declare namespace openAnvil {
  type Options = {
    chainId: number
    /** Copy on write from the chain behind this URL. */
    forkUrl?: string | undefined
    /** Block of it that is copied. Default: the newest. */
    forkBlockNumber?: number | undefined
    /**
     * Whether `forkUrl` is an address of this process, which has looked at the chain behind it and itself ends what takes too
     * long. Default false.
     */
    isOwnOrigin?: boolean | undefined
    /**
     * File that the chain is read from, if there, and kept in, with others beside it whose names begin with its own. A file
     * that was cut off is set aside, and the one before is taken. Ignored with `forkUrl`.
     */
    statePath?: string | undefined
    /** Seconds between blocks. Default: a block for each transaction, at once. */
    blockTimeSeconds?: number | undefined
    /** Base fee of the first block in wei. Default 10_000_000, what a rollup asks for. Ignored with `forkUrl`. */
    baseFeePerGas?: bigint | undefined
    /** Default 60_000, or 120_000 with `forkUrl`. */
    startTimeoutMs?: number | undefined
    /** More arguments for Anvil, such as `['-n', 'tempo']`. */
    extraArguments?: readonly string[] | undefined
    /** Told in words when a file could not be read, or not be written. */
    onWarning?: ((text: string) => void) | undefined
  }
  type ErrorType = AnvilNotInstalledError | AnvilStartError | ChainConnectionError | ForkOriginError
}

async function openOn(
  options: openAnvil.Options,
  { files, from }: { files: StateFiles | undefined; from: string | undefined },
): Promise<OpenAnvil> {
  const { chainId, forkUrl, statePath, onWarning = () => {} } = options
  const anvil = await startProcess({
    ...options,
    from,
    exit: files?.exit,
    onSpawn: (pid) => {
      if (statePath !== undefined) writeFileSync(pidFile(statePath), String(pid))
    },
  }).catch((cause: unknown) => {
    if (statePath !== undefined) rmSync(pidFile(statePath), { force: true })
    throw cause
  })
  const stop = async () => {
    await anvil.stop()
    if (statePath !== undefined) rmSync(pidFile(statePath), { force: true })
  }
  try {
    const pipe = await connectPipe(anvil.socket)
    const node = heldBack(pipe)
    const forked = forkUrl !== undefined && { blockNumber: await forkBlockOf(pipe) }
    let keeping: Awaited<ReturnType<typeof keepState>> | undefined
    const warn = (error: unknown) =>
      onWarning(
        `Chain ${chainId} could not be written down: ${error instanceof Error ? error.name : 'error'}.`,
      )
    return {
      chainId,
      forked,
      ask: async (method, params) => hideForkUrlInAnswer(await node.ask(method, params), forkUrl),
      keep: async () => {
        if (files !== undefined)
          keeping ??= await keepState({ node, files, isWritten: from !== undefined, onError: warn })
      },
      stop: async () => {
        await keeping?.stop()
        pipe.close()
        await stop()
      },
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** Without a number in the options, Anvil takes the newest by itself. */
async function forkBlockOf({ ask }: Pipe): Promise<number> {
  const { result } = JSON.parse(`{${await ask('anvil_nodeInfo', [])}`)
  return Number(result.forkConfig.forkBlockNumber)
}

/** The same node, whose state can be held still for a moment: what changes it waits meanwhile. */
function heldBack({ ask }: Pipe): { ask: Pipe['ask']; hold: () => () => void } {
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

const pidFile = (statePath: string) => `${statePath}.pid`

/**
 * A process that was killed leaves its Anvil to the watchdog, and that writes its state at the end: the file is not to be
 * read before.
 */
async function predecessorGone(statePath: string): Promise<void> {
  let pid: number
  try {
    pid = Number(readFileSync(pidFile(statePath), 'utf8'))
  } catch {
    return
  }
  for (let waited = 0; waited < stopTimeoutMs && pid > 0 && processStart(pid) !== 'gone'; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
