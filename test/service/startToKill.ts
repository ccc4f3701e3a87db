import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../src/sandbox/index.ts', import.meta.url))
const script = `import { startSandbox } from '${entry}'
  await startSandbox({ dataDir: process.env.DATA, bridge: false, onProgress: (text) => console.log(text) })
  console.log('Started')`

const anvilEntry = fileURLToPath(new URL('../../src/sandbox/chains/anvil/startProcess.ts', import.meta.url))
const anvilScript = `import childProcess from 'node:child_process'
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const dieAfter = (functions, name, isIt) => {
    const original = functions[name]
    functions[name] = (...args) => {
      const result = original(...args)
      if (isIt(args)) process.kill(process.pid, 'SIGKILL')
      return result
    }
  }
  if (process.env.MOMENT === 'process') dieAfter(childProcess, 'spawn', ([, args]) => args.includes('--chain-id'))
  else
    for (const name of ['mkdirSync', 'mkdtempSync'])
      dieAfter(fs, name, ([path]) => String(path).includes('redeemkit-anvil-'))
  syncBuiltinESMExports()
  const { startProcess } = await import('${anvilEntry}')
  await startProcess({ chainId: 1, program: process.env.PROGRAM })`

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
  const child = startScript(script, { DATA: data, TMPDIR: temporary })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const isNew = !said.includes(step)
    said += chunk.toString()
    if (isNew && said.includes(step)) setTimeout(() => child.kill(signal), delayMs)
  })
  const killedBy = await new Promise<string | null>((resolve) => child.once('close', (_, by) => resolve(by)))
  return { killedBy, said }
}

/**
 * Lets a process start a chain and kill itself right after it has created the folder, or started the program in it. Unlike
 * Anvil, that program does not exit when its output is no longer read.
 */
export async function killAnvilStart(
  { all, temporary }: ReturnType<typeof makeFolders>,
  moment: 'folder' | 'process',
): Promise<string | null> {
  const program = join(all, 'program')
  writeFileSync(program, `#!${process.execPath}\nsetInterval(() => {}, 1_000)\n`, { mode: 0o700 })
  const child = startScript(anvilScript, { MOMENT: moment, TMPDIR: temporary, PROGRAM: program })
  return new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
}

function startScript(script: string, env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
