import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '../../../src/sandbox/chains/anvil/startAnvil.ts'
import { anvilBinary } from '../../../src/sandbox/chains/anvil/startProcess.ts'
import { startFork } from '../../../src/sandbox/testing/index.ts'
import { type Figure, medianOf, type Row } from '../figure.ts'

const turns = 15

/** Measures from the call to the chain's first response, each in this process. */
export const fixture: Figure = {
  name: 'fixture',
  about:
    'a chain for a test file, with contracts and test accounts, compared with an empty Anvil, which a test would start instead',
  measure: async (progress) => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-bench-'))
    const record = join(folder, 'fork.json')
    try {
      await recordOnce(record)
      progress(`first start, which may create the genesis file: ${Math.round(await forkMs({}))} ms`)
      const fresh: number[] = []
      const recorded: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        // Alternate which runs first.
        const parts = [anvilMs, () => forkMs({}), () => forkMs({ record })]
        const times = new Map<number, number>()
        for (const place of turn % 2 === 0 ? [0, 1, 2] : [2, 1, 0])
          times.set(place, (await parts[place]?.()) ?? Number.NaN)
        const [bare = Number.NaN, own = Number.NaN, copy = Number.NaN] = [0, 1, 2].map((place) =>
          times.get(place),
        )
        fresh.push(own / bare)
        recorded.push(copy / bare)
        progress(
          `Anvil ${Math.round(bare)} ms, a fresh chain ${Math.round(own)} ms, a recorded one ${Math.round(copy)} ms`,
        )
      }
      return [
        {
          figure: 'fixture: start by bare Anvil',
          ...twoDigits(fresh),
          goal: 1.5,
          better: 'lower',
          unit: '×',
        },
        {
          figure: 'fixture: start of a recorded fork by bare Anvil',
          ...twoDigits(recorded),
          goal: null,
          better: 'lower',
          unit: '×',
        },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function recordOnce(record: string): Promise<void> {
  const origin = await startAnvil({ chainId: 84532 })
  try {
    await (await startFork({ forkUrl: origin.url, record })).stop()
  } finally {
    await origin.stop()
  }
}

async function forkMs(options: startFork.Options): Promise<number> {
  const started = performance.now()
  const fork = await startFork(options)
  await ask(fork.rpcUrl)
  const elapsed = performance.now() - started
  await fork.stop()
  return elapsed
}

async function anvilMs(): Promise<number> {
  const started = performance.now()
  const child = spawn(anvilBinary(), ['--port', '0', '--chain-id', '84532'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  let text = ''
  const address = () => /Listening on (\S+:\d+)/.exec(text)?.[1]
  while (address() === undefined) text += String((await once(child.stdout, 'data'))[0])
  await ask(`http://${address()}`)
  const elapsed = performance.now() - started
  child.kill('SIGKILL')
  await ended
  return elapsed
}

async function ask(url: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })
  if (typeof (await answer.json()).result !== 'string') throw new Error(`${url} does not respond.`)
}

function twoDigits(values: readonly number[]): Pick<Row, 'value' | 'noise'> {
  const { value, noise } = medianOf(values)
  return { value: Math.round(value * 100) / 100, noise }
}
