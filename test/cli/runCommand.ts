import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../src/sandbox/cli/index.ts', import.meta.url))

/** `redeemkit …` as a process of its own, with all that it printed so far. */
export function runCommand(
  args: readonly string[],
  { detached = false, env = {}, cwd }: runCommand.Options = {},
): runCommand.ReturnType {
  const child = spawn(process.execPath, ['--import', tsx, command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, stdout: () => texts.stdout, stderr: () => texts.stderr }
}

// The command may run in another folder, where there are no packages.
const tsx = import.meta.resolve('tsx')

export declare namespace runCommand {
  type Options = {
    /** In a process group of its own, as a shell starts it. */
    detached?: boolean | undefined
    env?: Readonly<Record<string, string>> | undefined
    cwd?: string | undefined
  }
  type ReturnType = {
    child: ChildProcess
    /** Its exit code. */
    ended: Promise<number | null>
    stdout: () => string
    stderr: () => string
  }
}
