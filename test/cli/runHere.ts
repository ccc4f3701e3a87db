import { vi } from 'vitest'
import { createCommand } from '../../src/sandbox/cli/createCommand.ts'
import { printError } from '../../src/sandbox/cli/printError.ts'

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
