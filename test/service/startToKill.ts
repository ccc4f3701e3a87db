import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../src/sandbox/index.ts', import.meta.url))
const script = `import { startSandbox } from '${entry}'
  await startSandbox({ dataDir: process.env.DATA, bridge: false, onProgress: (text) => console.log(text) })
  console.log('Started')`

/** A folder for data, and one for what processes put beside it, to see what is left there. */
export function makeFolders(): { all: string; data: string; temporary: string } {
  const all = mkdtempSync(join(tmpdir(), 'redeemkit-killed-'))
  const temporary = join(all, 'temporary')
  mkdirSync(temporary)
  return { all, data: join(all, 'data'), temporary }
}

/**
 * Starts a sandbox in a process of its own, and sends that a signal soon after it has said what it is doing.
 *
 * @param options.step beginning of what it says
 */
export async function killStart(
  { data, temporary }: ReturnType<typeof makeFolders>,
  options: { step: string; delayMs: number; signal: 'SIGINT' | 'SIGKILL' | 'SIGTERM' },
): Promise<{ killedBy: string | null; said: string }> {
  const { step, delayMs, signal } = options
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { ...process.env, DATA: data, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const isNew = !said.includes(step)
    said += chunk.toString()
    if (isNew && said.includes(step)) setTimeout(() => child.kill(signal), delayMs)
  })
  const killedBy = await new Promise<string | null>((resolve) => child.once('close', (_, by) => resolve(by)))
  return { killedBy, said }
}

/** Processes that name the folder in their command line, and what lies in it. */
export function leftIn({ temporary }: ReturnType<typeof makeFolders>): {
  processes: string[]
  files: string[]
} {
  const processes = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(temporary)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
  return { processes, files: readdirSync(temporary).filter((name) => name.startsWith('redeemkit-anvil-')) }
}
