import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anvilBinary } from '../../../src/sandbox/chains/anvil/startProcess.ts'
import { createProject, packBoth, pinned } from '../../consumers/packages.ts'
import type { Figure, Row } from '../figure.ts'

const turns = 5

/** Each turn starts a new process, and measures the time from `npx` until the service responds. */
export const start: Figure = {
  name: 'start',
  about:
    'from "npx redeemkit sandbox" of the packed package to the first response, compared with Anvil alone',
  measure: async (progress) => {
    const project = createProject('npm')
    const data = await mkdtemp(join(tmpdir(), 'redeemkit-bench-'))
    try {
      const { redeemkit, sandbox } = packBoth()
      project.install(redeemkit, sandbox, pinned('viem'))
      const kept = join(data, 'kept')
      progress(`first start, which caches an empty database: ${await commandMs(project.folder, kept)} ms`)
      const existing: number[] = []
      const fresh: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        existing.push(
          await aboveAnvilMs(join(kept, 'chains', '84532.json'), () => commandMs(project.folder, kept)),
        )
        fresh.push(await aboveAnvilMs(undefined, () => commandMs(project.folder, join(data, `new-${turn}`))))
        progress(`above Anvil: ${existing.at(-1)} ms on an existing folder, ${fresh.at(-1)} ms on a new one`)
      }
      return [
        row('an existing folder', { values: existing, goal: 1000 }),
        row('a new folder', { values: fresh, goal: 1800 }),
      ]
    } finally {
      project.remove()
      await rm(data, { recursive: true, force: true })
    }
  },
}

function row(folder: string, { values, goal }: { values: number[]; goal: number }): Row {
  return {
    figure: `start: npx redeemkit sandbox on ${folder}, above Anvil alone`,
    value: values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN,
    goal,
    better: 'lower',
    unit: 'ms',
  }
}

async function aboveAnvilMs(statePath: string | undefined, start: () => Promise<number>): Promise<number> {
  const alone = await anvilMs(statePath)
  return (await start()) - alone
}

async function commandMs(folder: string, dataDir: string): Promise<number> {
  const started = performance.now()
  const child = spawn('npx', ['redeemkit', 'sandbox', '--data', dataDir, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    // Npm, the shell that npm starts, and the command must stop together.
    detached: true,
  })
  // The command keeps the folder in use until it has closed its output.
  const ended = once(child, 'close')
  try {
    let text = ''
    while (!text.trimEnd().endsWith('}')) text += String((await once(child.stdout, 'data'))[0])
    const answer = await fetch(`${JSON.parse(text).url}/api/utils/contract-address?blockchain=base`)
    if (answer.status !== 200) throw new Error(`The sandbox returned ${answer.status}.`)
    return Math.round(performance.now() - started)
  } finally {
    process.kill(-(child.pid ?? Number.NaN), 'SIGTERM')
    await ended
  }
}

async function anvilMs(statePath: string | undefined): Promise<number> {
  const started = performance.now()
  const state = statePath === undefined ? [] : ['--load-state', statePath]
  const child = spawn(anvilBinary(), ['--port', '0', '--chain-id', '84532', ...state], {
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
