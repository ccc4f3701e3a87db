import { type ChildProcess, spawn } from 'node:child_process'
import { bundleCommand } from './bundleCommand.ts'

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
