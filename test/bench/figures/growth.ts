import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createPublicClient, http } from 'viem'
import { startSandbox } from '../../../src/sandbox/index.ts'
import type { Figure, Row } from '../figure.ts'
import { type PreparedRedeem, prepareRedeems, quantity, redeemedTopic } from '../load/prepareRedeems.ts'
import { anvilProcess, startClients } from '../load/runLoad.ts'

const perRound = 1_000
const rounds = 10
const parts = 5

export const growth: Figure = {
  name: 'growth',
  about: `memory and CPU after ${perRound * rounds} redeems, compared with those after ${perRound}`,
  isLong: true,
  measure: async (progress) => {
    // Without a folder the service keeps every row in memory.
    const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-growth-'))
    const sandbox = await startSandbox({
      dataDir,
      bridge: false,
      onError: (error) => progress(String(error)),
    })
    const clients = startClients()
    try {
      const { base: chain } = sandbox.chains
      if (chain === undefined) throw new Error('The sandbox started without its chain.')
      const client = createPublicClient({ transport: http(chain.rpcUrl) })
      const marks: Mark[] = []
      for (let round = 0; round < rounds; round++) {
        const prepared: PreparedRedeem[] = []
        for (let part = 0; part < parts; part++)
          prepared.push(
            ...(await prepareRedeems(sandbox, {
              chain,
              round: `growth ${round} ${part}`,
              count: perRound / parts,
            })),
          )
        const fromBlock = quantity((await client.getBlockNumber({ cacheTime: 0 })) + 1n)
        const before = { anvil: anvilProcess()?.cpuMs ?? Number.NaN, service: process.cpuUsage() }
        await clients.run({
          url: `${sandbox.url}/api/redeem/evm/sendGaslessTx`,
          bodies: prepared.map(({ body }) => body),
          headers: prepared.map(({ headers }) => headers),
          clients: 16,
          mined: {
            rpcUrl: chain.rpcUrl,
            address: chain.creditsContract,
            topic: redeemedTopic,
            fromBlock,
            count: perRound,
          },
        })
        // Let the service close its journal before anything is counted.
        await new Promise((done) => setTimeout(done, 3_000))
        marks.push(markOf(before))
        progress(JSON.stringify(marks.at(-1)))
      }
      return rowsOf(marks)
    } finally {
      clients.stop()
      await sandbox.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

/** Memory in megabytes after a round; CPU in milliseconds for one of its redeems. */
type Mark = {
  serviceMemory: number
  /** JavaScript's heap, and the memory outside of it, most of which the database uses. */
  heap: number
  outside: number
  anvilMemory: number
  serviceCpu: number
  anvilCpu: number
}

function markOf(before: { anvil: number; service: NodeJS.CpuUsage }): Mark {
  const { user, system } = process.cpuUsage(before.service)
  const anvil = anvilProcess()
  collectGarbage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    serviceMemory: Math.round(rss / 1e6),
    heap: Math.round(heapUsed / 1e6),
    outside: Math.round(external / 1e6),
    anvilMemory: Math.round((anvil?.residentBytes ?? Number.NaN) / 1e6),
    serviceCpu: Math.round((user + system) / 10 / perRound) / 100,
    anvilCpu: Math.round((((anvil?.cpuMs ?? Number.NaN) - before.anvil) * 100) / perRound) / 100,
  }
}

function rowsOf(marks: readonly Mark[]): Row[] {
  const [first, last] = [marks[0], marks.at(-1)]
  if (first === undefined || last === undefined) return []
  const row = (what: string, of: keyof Mark, goal: number | null): Row => ({
    figure: `growth: ${what}, after ${perRound * rounds} redeems by after ${perRound}`,
    value: Math.round((last[of] / first[of]) * 100) / 100,
    goal,
    better: 'lower',
    unit: '×',
  })
  return [
    row('memory of the service', 'serviceMemory', 1.1),
    row('memory of Anvil', 'anvilMemory', null),
    row('CPU of the service for a redeem', 'serviceCpu', null),
    row('CPU of Anvil for a redeem', 'anvilCpu', 1.1),
  ]
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
