import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { vi } from 'vitest'
import { inlineInEsbuild } from '../../.config/inlineGenerated.ts'
import { createCommand } from '../../src/sandbox/cli/createCommand.ts'
import { printError } from '../../src/sandbox/cli/printError.ts'

export async function runCommand(
  args: readonly string[],
  { detached = false, env = {}, cwd }: runCommand.Options = {},
): Promise<runCommand.ReturnType> {
  const child = spawn(process.execPath, [await bundleCommand(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  const texts = { stdout: '', stderr: '', both: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString()
      texts.both += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    ended,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    text: () => texts.both,
  }
}

export declare namespace runCommand {
  type Options = {
    /** Whether it has its own process group, as a shell starts it. */
    detached?: boolean | undefined
    env?: Readonly<Record<string, string>> | undefined
    cwd?: string | undefined
  }
  type ReturnType = {
    child: ChildProcess
    ended: Promise<number | null>
    stdout: () => string
    stderr: () => string
    text: () => string
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = `${root}node_modules/.cache/redeemkit/`
let file: Promise<string> | undefined

/** Bundles the command once per process. The bundle starts three times as fast. */
export function bundleCommand(): Promise<string> {
  file ??= bundle()
  return file
}

async function bundle(): Promise<string> {
  removeOldBundles()
  const outdir = `${cache}command-${process.pid}`
  await build({
    entryPoints: [`${root}src/sandbox/cli/index.ts`],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // As in the package, a command loads only what it needs.
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    plugins: [inlineInEsbuild],
  })
  return `${outdir}/index.mjs`
}

/** Vitest ends its processes by a signal, so they cannot remove their own bundles. */
function removeOldBundles(): void {
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    const [, pid] = /^command-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(cache + name, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** `runCommand` starts another process, which needs a second of processor time to load the command. */
export async function runHere(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const { argv, exitCode } = process
  const folder = process.cwd()
  const stops = signals.map((signal) => process.listeners(signal))
  vi.spyOn(console, 'log').mockImplementation((text) => {
    printed.stdout += `${text}\n`
  })
  vi.spyOn(console, 'error').mockImplementation((text) => {
    printed.stderr += `${text}\n`
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.stderr += text
    return true
  })
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code))
  })
  for (const [name, value] of Object.entries({ ...env, NO_COLOR: '1' })) vi.stubEnv(name, value)
  try {
    process.chdir(cwd)
    process.argv = ['node', 'redeemkit', ...args]
    process.exitCode = 0
    await createCommand().parseAsync()
    return { code: process.exitCode, ...printed }
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...printed }
    printError(error)
    return { code: 2, ...printed }
  } finally {
    process.chdir(folder)
    Object.assign(process, { argv, exitCode })
    for (const [at, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!stops[at]?.includes(listener)) process.off(signal, listener)
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

class Exit extends Error {
  constructor(readonly code: number) {
    super()
  }
}
