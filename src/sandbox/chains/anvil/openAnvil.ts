import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { readForeign } from '../../../redeemkit/core/errors/safeCause.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'
import { processStart } from '../../processStart.ts'
import { type ChainConnectionError, connectPipe, type Pipe } from './connectPipe.ts'
import { checkForkOrigin, type ForkOriginError, hideForkUrl } from './forkOrigin.ts'
import { heldBack, keepState, type StateFiles, stateFiles } from './keepState.ts'
import {
  type AnvilNotInstalledError,
  type AnvilStartError,
  startProcess,
  stopTimeoutMs,
} from './startProcess.ts'

export type OpenAnvil = {
  chainId: number
  forked: false | { blockNumber: number }
  /** Sends a request; see `Pipe`. Responses never contain the fork URL. */
  ask: Pipe['ask']
  /** Persists the chain in `statePath` from now on. Does nothing without `statePath`. */
  keep: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Starts Anvil with a socket that only this user can access, and a TCP port that cannot be reached. The process and its folder are removed
 * by `stop()` and when this process ends or is killed.
 *
 * If Anvil ends unexpectedly, a persisted chain is restarted once, from its last checkpoint. Its second unexpected end is reported. If the
 * chain is not persisted, the first one is.
 */
export async function openAnvil(options: openAnvil.Options): Promise<OpenAnvil> {
  const { chainId, forkUrl, forkBlockNumber, isOwnOrigin = false, onStarted, onWarning = () => {} } = options
  if (forkUrl !== undefined && !isOwnOrigin) await checkForkOrigin({ forkUrl, chainId, forkBlockNumber })
  let anvil = await openFromFiles(options)
  let isKept = false
  let isReported = false
  let restarted: Promise<void> | undefined
  await onStarted?.(anvil)
  const restart = async () => {
    onWarning(`Anvil for chain ${chainId} ended. It is restarted once, from its last checkpoint.`)
    try {
      await anvil.stop()
      anvil = await openFromFiles(options)
      await onStarted?.(anvil)
      await anvil.keep()
    } catch (error) {
      // Later requests fail with "The chain has ended."
      onWarning(error instanceof Error ? error.message : `Anvil for chain ${chainId} could not be restarted.`)
    }
  }
  return {
    chainId,
    forked: anvil.forked,
    ask: async (method, params) => {
      if (isKept && anvil.hasEnded()) {
        restarted ??= restart()
        await restarted
      }
      if (anvil.hasEnded() && !isReported) {
        isReported = true
        onWarning(`Anvil for chain ${chainId} ended. Start the sandbox again.`)
      }
      return anvil.ask(method, params)
    },
    keep: async () => {
      isKept = options.statePath !== undefined && forkUrl === undefined
      await anvil.keep()
    },
    stop: async () => {
      isKept = false
      await restarted
      await anvil.stop()
    },
  }
}

type RunningAnvil = OpenAnvil & { hasEnded: () => boolean }

async function openFromFiles(options: openAnvil.Options): Promise<RunningAnvil> {
  const { chainId, forkUrl, statePath, onWarning = () => {} } = options
  const files = statePath === undefined || forkUrl !== undefined ? undefined : stateFiles(statePath)
  if (statePath !== undefined) await predecessorGone(statePath)
  for (;;) {
    const [from] = files?.candidates() ?? []
    try {
      const anvil = await openOn(options, { files, from })
      await files?.adopt(from)
      return anvil
    } catch (cause) {
      // Only a truncated file is set aside, because Anvil can never load it.
      if (from === undefined || files === undefined || files.isWhole(from)) throw cause
      const aside = await files.setAside(from)
      const [older] = files.candidates()
      onWarning(
        `The state file of chain ${chainId}, ${basename(from)}, is truncated and was renamed to ${basename(aside)}. ` +
          (older === undefined
            ? 'There is no older file: the chain starts empty.'
            : `The chain continues from ${basename(older)}; later changes are lost.`),
      )
    }
  }
}

export declare namespace openAnvil {
  type Options = Omit<startProcess.Options, 'from' | 'exit' | 'program' | 'onSpawn'> & {
    /**
     * The file that the chain is loaded from, if it exists, and saved to. Further files share its prefix. A truncated file
     * is set aside, and the previous file is loaded. Ignored with `forkUrl`.
     */
    statePath?: string | undefined
    /** Called after each start and restart of Anvil, before the chain is used. */
    onStarted?: ((chain: Pick<OpenAnvil, 'ask'>) => Promise<void>) | undefined
    /** Called with a message when a file cannot be read or written, and when Anvil was restarted. */
    onWarning?: ((text: string) => void) | undefined
  }
  type ErrorType =
    | AnvilNotInstalledError
    | AnvilStartError
    | ChainConnectionError
    | ForkOriginError
    | InvalidSandboxOptionsError
}

async function openOn(
  options: openAnvil.Options,
  { files, from }: { files: StateFiles | undefined; from: string | undefined },
): Promise<RunningAnvil> {
  const { chainId, forkUrl, statePath, onWarning = () => {} } = options
  const anvil = await startProcess({
    ...options,
    from,
    exit: files?.exit,
    onSpawn: (pid) => {
      if (statePath === undefined) return
      try {
        writeFileSync(pidFile(statePath), String(pid))
      } catch (cause) {
        throw notSaved(statePath, cause)
      }
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
    const pipe = await connectPipe(anvil.socket, forkUrl === undefined ? {} : { silenceMs: forkSilenceMs })
    const node = heldBack(pipe)
    const forked = forkUrl !== undefined && { blockNumber: await forkBlockOf(pipe) }
    let keeping: Awaited<ReturnType<typeof keepState>> | undefined
    const warn = (error: unknown) => {
      const { code, name } = readForeign(error) ?? {}
      onWarning(`Chain ${chainId} could not be saved: ${code ?? name ?? 'unknown error'}.`)
    }
    return {
      chainId,
      forked,
      hasEnded: pipe.isClosed,
      ask: async (method, params) => hideForkUrl(await node.ask(method, params), forkUrl),
      keep: async () => {
        if (files === undefined || statePath === undefined) return
        try {
          keeping ??= await keepState({ node, files, isWritten: from !== undefined, onError: warn })
          await files.setReady()
        } catch (cause) {
          throw notSaved(statePath, cause)
        }
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

/** A fork's silence timeout: Anvil requests the values that a call needs one by one from its origin, which may be slow. */
const forkSilenceMs = 60_000

async function forkBlockOf({ ask }: Pipe): Promise<number> {
  const { result } = JSON.parse(`{${await ask('anvil_nodeInfo', [])}`)
  return Number(result.forkConfig.forkBlockNumber)
}

function notSaved(statePath: string, cause: unknown): unknown {
  if (cause instanceof BaseError) return cause
  const { code = 'unknown error' } = readForeign(cause) ?? {}
  return new InvalidSandboxOptionsError(`The chain cannot be saved in ${statePath}: ${code}.`, {
    fix: 'Free space there, or pass another folder.',
    cause,
  })
}

const pidFile = (statePath: string) => `${statePath}.pid`

/** Waits until the Anvil of a killed process has written its state and exited, so that the state file is complete. */
async function predecessorGone(statePath: string): Promise<void> {
  // Without a pid file, no process is running.
  const pid = Number(attempt(() => readFileSync(pidFile(statePath), 'utf8')) ?? 0)
  for (let waited = 0; waited < stopTimeoutMs && pid > 0 && processStart(pid) !== 'gone'; waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
