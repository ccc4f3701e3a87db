import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inlineInEsbuild } from '../../../.config/inlineGenerated.ts'
import { anvilBinary } from '../../../src/sandbox/chains/anvil/startProcess.ts'
import type { Figure } from '../figure.ts'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/redeemkit', import.meta.url))
const turns = 5

/** A new process each time: npm, Node, the code, database, chain, until the service answers. */
export const start: Figure = {
  name: 'start',
  about: 'from "npx redeemkit sandbox" to the first answer on a folder that is there, beside Anvil alone',
  measure: async (progress) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-bench-'))
    const folder = join(cache, `start-${process.pid}`)
    const program = join(folder, 'stdin.js')
    try {
      await mkdir(folder, { recursive: true })
      await Promise.all([bundle(folder), install(folder)])
      progress(`first start, which makes the folder: ${await startMs(program, dataDir)} ms`)
      const ours: number[] = []
      const command: number[] = []
      const anvil: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        anvil.push(await anvilMs(join(dataDir, 'chains', '84532.json')))
        ours.push(await startMs(program, dataDir))
        command.push(await commandMs(folder, dataDir))
        progress(`Anvil ${anvil.at(-1)} ms, the sandbox ${ours.at(-1)} ms, the command ${command.at(-1)} ms`)
      }
      const [alone, whole] = [median(anvil), median(ours)]
      return [
        {
          figure: 'start: npx redeemkit sandbox above Anvil alone, on a folder that is there',
          value: Math.round(median(command) - alone),
          goal: 1500,
          better: 'lower',
          unit: 'ms',
        },
        {
          figure: 'start: startSandbox in a process of its own above Anvil alone',
          value: Math.round(whole - alone),
          goal: 1500,
          better: 'lower',
          unit: 'ms',
        },
        {
          figure: 'start: the sandbox by Anvil alone',
          value: Math.round((whole / alone) * 10) / 10,
          goal: null,
          better: 'lower',
          unit: '×',
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** As the package is: plain JavaScript, nothing compiled at the start, and what is imported late is a file of its own. */
async function bundle(outdir: string): Promise<void> {
  const sandbox = fileURLToPath(new URL('../../../src/sandbox/index.ts', import.meta.url))
  await build({
    stdin: {
      contents: `import { startSandbox } from ${JSON.stringify(sandbox)}
        const sandbox = await startSandbox({ dataDir: process.argv[2], bridge: false })
        const answer = await fetch(sandbox.url + '/api/utils/contract-address?blockchain=base')
        console.log(answer.status)
        await sandbox.stop()`,
      resolveDir: cache,
    },
    outdir,
    bundle: true,
    splitting: true,
    packages: 'external',
    plugins: [inlineInEsbuild],
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
}

/** The command as a project has it that installed the package. */
async function install(folder: string): Promise<void> {
  const home = join(folder, 'node_modules', '@redeemkit', 'sandbox')
  const program = join(home, 'dist', 'cli', 'index.js')
  await build({
    entryPoints: [fileURLToPath(new URL('../../../src/sandbox/cli/index.ts', import.meta.url))],
    outdir: join(home, 'dist', 'cli'),
    bundle: true,
    splitting: true,
    packages: 'external',
    plugins: [inlineInEsbuild],
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  await writeFile(join(home, 'package.json'), '{ "version": "0.0.0", "type": "module" }')
  await chmod(program, 0o755)
  await mkdir(join(folder, 'node_modules', '.bin'), { recursive: true })
  await symlink(program, join(folder, 'node_modules', '.bin', 'redeemkit'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
}

async function commandMs(folder: string, dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn('npx', ['redeemkit', 'sandbox', '--data', dataDir, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    // npm, the shell that it starts, and the command stop together
    detached: true,
  })
  const ended = once(child, 'exit')
  try {
    let text = ''
    while (!text.trimEnd().endsWith('}')) text += String((await once(child.stdout, 'data'))[0])
    const answer = await fetch(`${JSON.parse(text).url}/api/utils/contract-address?blockchain=base`)
    if (answer.status !== 200) throw new Error(`The sandbox answered ${answer.status}.`)
    return Math.round(performance.now() - started)
  } finally {
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
    await ended
  }
}

async function startMs(program: string, dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [answered] = await once(child.stdout, 'data')
  const elapsed = performance.now() - started
  if (String(answered).trim() !== '200') throw new Error(`The sandbox answered ${answered}.`)
  await ended
  return Math.round(elapsed)
}

/** From the same file. */
async function anvilMs(statePath: string): Promise<number> {
  const started = performance.now()
  const child = spawn(anvilBinary(), ['--port', '0', '--chain-id', '84532', '--load-state', statePath], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  let text = ''
  while (!text.includes('Listening on')) text += String((await once(child.stdout, 'data'))[0])
  const elapsed = performance.now() - started
  child.kill('SIGKILL')
  await ended
  return Math.round(elapsed)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
