import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BaseError } from '../../../core/errors/baseError.ts'
import { processStart } from '../../process/processStart.ts'
import { type AnvilNotInstalledError, anvilBinary } from './anvilBinary.ts'
import { killWithParent } from './killWithParent.ts'

/**
 * Starts one Anvil on 127.0.0.1 and resolves when it answers.
 *
 * It is gone when `stop()` resolves, when this process ends, and when this process is killed.
 *
 * @throws {@link AnvilNotInstalledError} when npm has none for this platform; {@link AnvilStartError} with Anvil's own words when it does not come up
 * @example
 * ```ts
 * import { startAnvil } from '@redeemkit/sandbox'
 * const anvil = await startAnvil({ chainId: 84532 })
 * // … anvil.url …
 * await anvil.stop()
 * ```
 */
export async function startAnvil(options: startAnvil.Options): Promise<startAnvil.ReturnType> {
  if (options.statePath !== undefined) await predecessorGone(options.statePath)
  const child = spawn(anvilBinary(), startArguments(options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const release = killWithParent(child)
  if (options.statePath !== undefined && child.pid !== undefined)
    writeFileSync(pidFile(options.statePath), String(child.pid))
  try {
    const url = await listening(child, options)
    return {
      url,
      chainId: options.chainId,
      stop: async () => {
        child.kill('SIGTERM')
        const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
        await ended
        clearTimeout(timer)
        release()
        if (options.statePath !== undefined) rmSync(pidFile(options.statePath), { force: true })
      },
    }
  } catch (cause) {
    child.kill('SIGKILL')
    release()
    throw cause
  }
}

export declare namespace startAnvil {
  type Options = {
    chainId: number
    /** Copy on write from the chain behind this URL. */
    forkUrl?: string | undefined
    /** Default: a free port. */
    port?: number | undefined
    /** File that the chain is read from, if there, and written to at the end. Ignored with `forkUrl`. */
    statePath?: string | undefined
    /** Seconds between blocks. Default: a block for each transaction, at once. */
    blockTimeSeconds?: number | undefined
    /** Base fee of the first block in wei. Default 10_000_000, what a rollup asks for. Ignored with `forkUrl`. */
    baseFeePerGas?: bigint | undefined
    /** Default 60_000, or 120_000 with `forkUrl`. */
    startTimeoutMs?: number | undefined
    /** More arguments for Anvil, such as `['-n', 'tempo']`. */
    extraArguments?: readonly string[] | undefined
  }
  type ReturnType = {
    /** JSON-RPC endpoint, `http://127.0.0.1:…`. */
    url: string
    chainId: number
    /** Ends it; resolves when the process is gone and, with `statePath`, the file is written. */
    stop: () => Promise<void>
  }
  type ErrorType = AnvilNotInstalledError | AnvilStartError
}

const stopTimeoutMs = 5_000

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

function startArguments(options: startAnvil.Options): string[] {
  const { chainId, forkUrl, port = 0, statePath, blockTimeSeconds, baseFeePerGas = 10_000_000n } = options
  return [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    // The cache is keyed by chain and block number: two local origin chains would read each other's storage.
    ...(forkUrl === undefined
      ? ['--block-base-fee-per-gas', String(baseFeePerGas)]
      : ['--fork-url', forkUrl, '--no-storage-caching']),
    ...(forkUrl === undefined && statePath !== undefined ? ['--state', statePath] : []),
    ...(blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds), '--mixed-mining']),
    ...(options.extraArguments ?? []),
  ]
}

function listening(child: ChildProcess, options: startAnvil.Options): Promise<string> {
  const timeoutMs = options.startTimeoutMs ?? (options.forkUrl === undefined ? 60_000 : 120_000)
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (what: string, cause?: unknown) => {
      clearTimeout(timer)
      reject(
        new AnvilStartError(`Anvil for chain ${options.chainId} ${what}.`, {
          cause,
          fix: `Anvil's last words: ${lastWords(output, options.forkUrl)}`,
        }),
      )
    }
    const timer = setTimeout(() => fail(`was not ready after ${timeoutMs} ms`), timeoutMs)
    const read = (chunk: Buffer) => {
      if (found) return
      output = (output + chunk.toString('utf8')).slice(-20_000)
      const match = /Listening on (127\.0\.0\.1:\d+)/.exec(output)
      if (match?.[1] === undefined) return
      found = true
      clearTimeout(timer)
      resolve(`http://${match[1]}`)
    }
    let found = false
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (cause) => fail('could not be started', cause))
    child.once('exit', (code, signal) => fail(`ended at once (${signal ?? `exit code ${code}`})`))
  })
}

/** The end of what Anvil printed, without the address of the fork origin, which may carry a key. */
function lastWords(output: string, forkUrl: string | undefined): string {
  const words = output.trim().split('\n').slice(-6).join(' ').slice(-600)
  return forkUrl === undefined ? words : words.replaceAll(forkUrl, '<fork url>')
}

/** Anvil did not come up. */
export class AnvilStartError extends BaseError {
  override readonly name = 'AnvilStartError'
}
