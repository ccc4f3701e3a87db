import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { hideForkUrl } from './forkOrigin.ts'
import { startWatchdog, type Watchdog } from './startWatchdog.ts'

export type AnvilProcess = {
  pid: number
  /** The socket that Anvil listens on, in a folder that only this user can read. */
  socket: string
  /** Terminates the process, by SIGKILL after a timeout. Resolves when the process and its folder are gone. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/**
 * Starts Anvil and resolves when it listens. The process and its folder are removed when this process ends or is killed,
 * even during the start.
 *
 * @param options.program path of the binary; default: the one that npm installed
 * @param options.onSpawn receives the process id immediately
 */
export async function startProcess(options: startProcess.Options): Promise<AnvilProcess> {
  const { program = anvilBinary(), from, exit, onSpawn } = options
  const host = await unreachableHost()
  const folder = join(tmpdir(), `redeemkit-anvil-${randomBytes(6).toString('hex')}`)
  // Started before the folder exists, so that a kill in between leaves no folder behind.
  const watchdog = startWatchdog({ folder })
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 'socket')
  const child = startIn(folder, {
    program,
    args: startArguments(options, { socket, folder, from, exit, host }),
    watchdog,
  })
  const { pid } = child
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
    if (pid !== undefined) onSpawn?.(pid)
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
    /** Block to fork. Default: the newest. */
    forkBlockNumber?: number | undefined
    /** Whether this process serves `forkUrl`, and so has already checked the origin and enforces timeouts. Default false. */
    isOwnOrigin?: boolean | undefined
    /** Seconds between blocks. Default: each transaction is mined immediately, in its own block. */
    blockTimeSeconds?: number | undefined
    /** Base fee of the first block in wei. Default 10_000_000, as on a rollup. Ignored with `forkUrl`. */
    baseFeePerGas?: bigint | undefined
    /** Timeout of the start. Default 60_000, or 120_000 with `forkUrl`. */
    startTimeoutMs?: number | undefined
    /** Additional arguments for Anvil, such as `['-n', 'tempo']`. */
    extraArguments?: readonly string[] | undefined
    from?: string | undefined
    /** File to which Anvil writes its state when it exits. */
    exit?: string | undefined
    program?: string | undefined
    onSpawn?: ((pid: number) => void) | undefined
  }
}

function startIn(
  folder: string,
  { program, args, watchdog }: { program: string; args: readonly string[]; watchdog: Watchdog },
): ChildProcess {
  try {
    // Only this user may read the folder, because it contains Anvil's socket and cache.
    mkdirSync(folder, { mode: 0o700 })
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl+C signals the terminal's whole process group. Anvil gets its own group, and this process stops it after pending work.
      detached: process.platform !== 'win32',
      env: { ...process.env, NO_COLOR: '1' },
    })
    watchdog.watch(child)
    return child
  } catch (error) {
    watchdog.release()
    throw error
  }
}

/** Timeout for Anvil to end. It writes its state first, which takes longer with more blocks. */
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
    // Keeps past states in memory, not in the home folder, and enough of them for clients that wait for confirmations.
    '--prune-history',
    String(pastStates),
    '--cache-path',
    folder,
    // The cache is keyed by chain id and block number, so two local origins would share it.
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

/** Anvil may ask its origin twice, first with `eth_getAccountInfo`. A request that waits for a silent origin ends after 10 s. */
const originTimeoutMs = 5_000

/** Longer than a request to the real origin, so that this process reports its timeout first. */
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
          fix: fix ?? `Anvil's last output: ${lastOutput(output, options.forkUrl)}`,
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
      fail(`could not be started (${cause.code})`, { cause, fix: startFix(cause.code, options.program) }),
    )
    child.once('exit', (code, signal) => fail(`exited immediately (${signal ?? `exit code ${code}`})`))
  })
}

function startFix(code: string | undefined, program: string): string {
  if (code === 'EACCES')
    return `Make it executable (chmod +x ${program}), and check for the mount option noexec and for security policies.`
  if (code === 'ENOENT')
    return `Reinstall it (npm install --include=optional), and check that ${program} runs: it needs glibc, which Alpine lacks.`
  return `Check that \`${program} --version\` runs.`
}

function lastOutput(output: string, forkUrl: string | undefined): string {
  return hideForkUrl(output.trim().split('\n').slice(-6).join(' ').slice(-600), forkUrl)
}

/** Anvil did not start. */
export class AnvilStartError extends BaseError {
  override readonly name = 'AnvilStartError'
}

/** Returns the binary and not npm's wrapper script, because killing the script leaves Anvil running. */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const file = `${name}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch (cause) {
    throw new AnvilNotInstalledError(`Anvil is not installed: ${name} was not found.`, {
      cause,
      fix: 'Run `npm install --include=optional`. Linux, macOS and Windows are supported.',
    })
  }
}

/** The Anvil binary is not installed. */
export class AnvilNotInstalledError extends BaseError {
  override readonly name = 'AnvilNotInstalledError'
}

/**
 * Returns a host for Anvil's TCP port, which Anvil cannot disable, that no page or program can connect to. TCP cannot connect to a
 * multicast address (RFC 1122 4.2.3.10), yet Linux and the BSDs can listen there.
 */
async function unreachableHost(): Promise<string> {
  const byte = () => Math.floor(Math.random() * 254) + 1
  for (const host of [`239.255.${byte()}.${byte()}`, `127.${byte()}.${byte()}.${byte()}`])
    if (await canOpen(host)) return host
  return '127.0.0.1'
}

function canOpen(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(0, host, () => probe.close(() => resolve(true)))
  })
}
