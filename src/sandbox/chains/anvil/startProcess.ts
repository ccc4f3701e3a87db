import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { anvilBinary } from './anvilBinary.ts'
import { hideForkUrl } from './fork/hideForkUrl.ts'
import { startWatchdog, type Watchdog } from './startWatchdog.ts'
import { unreachableHost } from './unreachableHost.ts'

/** Anvil's process. */
export type AnvilProcess = {
  pid: number
  /** Where it listens, in a folder that is this user's alone. */
  socket: string
  /** Asks it to end, and ends it by force when it takes too long; resolves when it is gone, and its folder. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/**
 * Starts Anvil's process and resolves when it listens. It is gone with this process, however that ends, also in the midst of the
 * start, and so is its folder.
 *
 * @param options.program the binary; default: the one that npm installed
 * @param options.onSpawn told its process id at once
 * @throws AnvilNotInstalledError; {@link AnvilStartError} when it does not come up
 */
export async function startProcess(options: startProcess.Options): Promise<AnvilProcess> {
  const { program = anvilBinary(), from, exit, onSpawn } = options
  const host = await unreachableHost()
  const folder = join(tmpdir(), `redeemkit-anvil-${randomBytes(6).toString('hex')}`)
  // Before the folder is there: whoever is killed in between leaves none.
  const watchdog = startWatchdog({ folder })
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 'socket')
  const child = startIn(folder, {
    program,
    args: startArguments(options, { socket, folder, from, exit, host }),
    watchdog,
  })
  const { pid } = child
  if (pid !== undefined) onSpawn?.(pid)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const clear = async () => {
    if (pid !== undefined) await ended
    watchdog.release()
    await rm(folder, { recursive: true, force: true })
  }
  const stop = async (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await clear()
    clearTimeout(timer)
  }
  try {
    await listening(child, { ...options, program })
    return { pid: pid ?? 0, socket, stop }
  } catch (cause) {
    await stop('SIGKILL')
    throw cause
  }
}

export declare namespace startProcess {
  type Options = {
    chainId: number
    forkUrl?: string | undefined
    forkBlockNumber?: number | undefined
    isOwnOrigin?: boolean | undefined
    blockTimeSeconds?: number | undefined
    baseFeePerGas?: bigint | undefined
    startTimeoutMs?: number | undefined
    extraArguments?: readonly string[] | undefined
    /** File that the chain is read from. */
    from?: string | undefined
    /** File that Anvil writes its state to when it ends. */
    exit?: string | undefined
    program?: string | undefined
    onSpawn?: ((pid: number) => void) | undefined
  }
  type ErrorType = anvilBinary.ErrorType | AnvilStartError
}

function startIn(
  folder: string,
  { program, args, watchdog }: { program: string; args: readonly string[]; watchdog: Watchdog },
): ChildProcess {
  try {
    // Readable by this user alone: it is where Anvil listens, and where it puts what it does not keep.
    mkdirSync(folder, { mode: 0o700 })
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
    watchdog.watch(child)
    return child
  } catch (error) {
    watchdog.release()
    throw error
  }
}

/** Anvil writes its state at the end; the more blocks, the longer. */
export const stopTimeoutMs = 20_000

function startArguments(
  options: startProcess.Options,
  parts: { socket: string; folder: string; host: string; from: string | undefined; exit: string | undefined },
): string[] {
  const {
    chainId,
    forkUrl,
    forkBlockNumber,
    isOwnOrigin,
    blockTimeSeconds,
    baseFeePerGas = 10_000_000n,
  } = options
  const { socket, folder, host, from, exit } = parts
  return [
    '--ipc',
    socket,
    '--host',
    host,
    '--port',
    '0',
    '--chain-id',
    String(chainId),
    // Past states stay in memory, as many as somebody who waits for confirmations looks back; none goes to the user's home.
    '--prune-history',
    String(pastStates),
    '--cache-path',
    folder,
    // The cache is keyed by chain and block number: two local origin chains would read each other's storage.
    ...(forkUrl === undefined
      ? ['--block-base-fee-per-gas', String(baseFeePerGas)]
      : [
          '--fork-url',
          forkUrl,
          '--no-storage-caching',
          '--timeout',
          String(isOwnOrigin ? ownOriginTimeoutMs : originTimeoutMs),
        ]),
    ...(forkBlockNumber === undefined ? [] : ['--fork-block-number', String(forkBlockNumber)]),
    ...(from === undefined ? [] : ['--load-state', from]),
    ...(exit === undefined ? [] : ['--dump-state', exit]),
    ...(blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds), '--mixed-mining']),
    ...(options.extraArguments ?? []),
  ]
}

const pastStates = 128

/** How long Anvil waits for one answer of the origin. */
const originTimeoutMs = 10_000

/** Longer than it takes to say in words that somebody else gave no answer. */
const ownOriginTimeoutMs = 60_000

function listening(child: ChildProcess, options: startProcess.Options & { program: string }): Promise<void> {
  const timeoutMs = options.startTimeoutMs ?? (options.forkUrl === undefined ? 60_000 : 120_000)
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (what: string, { cause, fix }: { cause?: unknown; fix?: string } = {}) => {
      clearTimeout(timer)
      reject(
        new AnvilStartError(`Anvil for chain ${options.chainId} ${what}.`, {
          cause,
          fix: fix ?? `Anvil's last words: ${lastWords(output, options.forkUrl)}`,
        }),
      )
    }
    const timer = setTimeout(() => fail(`was not ready after ${timeoutMs} ms`), timeoutMs)
    const read = (chunk: Buffer) => {
      if (found) return
      output = (output + chunk.toString('utf8')).slice(-20_000)
      if (!/Listening on \S+:\d+/.test(output)) return
      found = true
      clearTimeout(timer)
      resolve()
    }
    let found = false
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (cause: NodeJS.ErrnoException) =>
      fail(`could not be started (${cause.code})`, { cause, fix: wayOut(cause.code, options.program) }),
    )
    child.once('exit', (code, signal) => fail(`ended at once (${signal ?? `exit code ${code}`})`))
  })
}

/** What somebody does about a program that the system does not start. */
function wayOut(code: string | undefined, program: string): string {
  if (code === 'EACCES')
    return `Allow it to be executed (chmod +x ${program}), also by the file system that it lies on (mount option noexec) and by the machine's rules.`
  if (code === 'ENOENT')
    return `Install it anew (npm install --include=optional), and check that ${program} runs on this system: it needs glibc, which Alpine has not.`
  return `Check that ${program} runs by itself, with --version.`
}

function lastWords(output: string, forkUrl: string | undefined): string {
  return hideForkUrl(output.trim().split('\n').slice(-6).join(' ').slice(-600), forkUrl)
}

/** Anvil did not come up. */
export class AnvilStartError extends BaseError {
  override readonly name = 'AnvilStartError'
}
