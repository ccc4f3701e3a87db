import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { caller, customer, sendGaslessTxPath, signedPayment } from './sandboxClient.ts'

beforeEach((context) => context.skip(process.platform !== 'linux', 'it reads /proc, which only Linux has'))

test('an interrupted or killed start leaves no process, and its folder can be opened again', async () => {
  const folders = makeFolders()
  for (const [step, signal] of [
    ['Starting', 'SIGINT'],
    ['Funding', 'SIGKILL'],
  ] as const) {
    const { killedBy, said } = await killStart(folders, { step, delayMs: 20, signal })
    expect([killedBy, said.includes('Started')]).toEqual([signal, false])
    await expect.poll(() => leftIn(folders), { timeout: 15_000 }).toEqual({ processes: [], files: [] })
  }
  const next = await startSandbox({ dataDir: folders.data, bridge: false })
  expect((await next.app.request('/health')).status).toBe(200)
  await next.stop()
  await rm(folders.all, { recursive: true })
})

describe('killed right after', () => {
  test.each([
    ['the folder was created', 'folder'],
    ['the program was started', 'process'],
  ] as const)('%s: leaves no process and no folder', async (_, moment) => {
    const folders = makeFolders()
    expect(await killAnvilStart(folders, moment)).toBe('SIGKILL')
    await expect.poll(() => leftIn(folders), { timeout: 20_000 }).toEqual({ processes: [], files: [] })
    await rm(folders.all, { recursive: true })
  })
})

/** A start that is killed at any step must leave no process, and a folder in which the next start succeeds. */
if (inject('isLong'))
  describe.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
    test.each(
      ['Opening', 'Starting', 'Deploying', 'Funding', 'Listening'].flatMap((step) =>
        [0, 40, 160].map((delayMs) => ({ step, delayMs })),
      ),
    )('%j', async (moment) => {
      const folders = makeFolders()
      await killStart(folders, { ...moment, signal })
      await expect.poll(() => leftIn(folders), { timeout: 20_000 }).toEqual({ processes: [], files: [] })
      const sandbox = await startSandbox({ dataDir: folders.data, bridge: false })
      try {
        const { alice } = sandbox.accounts
        const service = caller(sandbox.app)
        const body = await signedPayment(service, sandbox)
        expect((await service.post(sendGaslessTxPath, body, customer(alice.address))).status).toBe(200)
      } finally {
        await sandbox.stop()
      }
      await rm(folders.all, { recursive: true })
    })
  })

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

/** The temporary folder shows what a killed process leaves behind. */
function makeFolders(): { all: string; data: string; temporary: string } {
  const all = mkdtempSync(join(tmpdir(), 'redeemkit-killed-'))
  const temporary = join(all, 'temporary')
  mkdirSync(temporary)
  return { all, data: join(all, 'data'), temporary }
}

/** Sends a signal soon after the process has reported a step that begins with `step`. */
async function killStart(
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
 * The process kills itself right after it has created a chain's folder, or started its program there. Unlike Anvil, that program does not
 * exit when its output is no longer read.
 */
async function killAnvilStart(
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

function leftIn({ temporary }: ReturnType<typeof makeFolders>): {
  processes: string[]
  files: string[]
} {
  const processes = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(temporary)
    } catch {
      return false
    }
  })
  return { processes, files: readdirSync(temporary).filter((name) => name.startsWith('redeemkit-anvil-')) }
}
