import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createPublicClient, http } from 'viem'
import { anvilBinary } from '../../../src/sandbox/chains/anvil/startProcess.ts'
import { devAccount } from '../../../src/sandbox/devAccounts.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../../src/sandbox/index.ts'
import type { Figure, Row } from '../figure.ts'
import { prepareRedeems, quantity, rawSends, redeemedTopic } from '../load/prepareRedeems.ts'
import { anvilProcess, type LoadResult, mainThreadCpuMs, processStat, startClients } from '../load/runLoad.ts'

const clientsAtOnce = 16
const rounds = 7
const perRound = 320
/** V8 still compiles the hot code of the service and the database. */
const warmUpRounds = 4
const loneRedeems = 40

export const redeems: Figure = {
  name: 'redeems',
  about:
    'signed redeems through the service until all are mined, compared with the same redeems as signed transactions to Anvil alone, which checks and stores nothing',
  measure: async (progress) => {
    const sandbox = await startSandbox({
      bridge: false,
      rpcMethods: ['anvil_dumpState'],
      onError: (error) => progress(String(error)),
    })
    const clients = startClients()
    try {
      const { base } = sandbox.chains
      if (base === undefined) throw new Error('The sandbox started without its chain.')
      const race = racing(sandbox, { chain: base, clients, progress })
      // Earlier redeems make Anvil slower, so each round begins on a new chain.
      const start = await sandbox.snapshot()
      const raceOnNewChain: typeof race = async (options) => {
        await sandbox.revert(start)
        return race(options)
      }
      for (let round = 1; round <= warmUpRounds; round++)
        await raceOnNewChain({ round: `warm-up ${round}`, count: perRound, clientsAtOnce })
      const lone = await raceOnNewChain({ round: 'lone', count: loneRedeems, clientsAtOnce: 1 })
      const turns: Race[] = []
      for (let round = 0; round < rounds; round++)
        turns.push(
          await raceOnNewChain({
            round: String(round),
            count: perRound,
            clientsAtOnce,
            isOursFirst: round % 2 === 1,
          }),
        )
      return [...rowsOf(turns, lone), ...cpuRows(turns)]
    } finally {
      clients.stop()
      await sandbox.stop()
    }
  },
}

/** CPU times in milliseconds; undefined if the system does not report them. */
type Race = {
  ours: LoadResult
  anvil: LoadResult
  count: number
  ratio: number
  cpu: {
    service: number
    mainThread: number | undefined
    anvilAlone: number | undefined
    anvilForService: number | undefined
  }
}

function racing(
  sandbox: RunningSandbox,
  context: {
    chain: SandboxChain
    clients: ReturnType<typeof startClients>
    progress: (text: string) => void
  },
) {
  const { chain, clients, progress } = context
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  return async (options: {
    round: string
    count: number
    clientsAtOnce: number
    isOursFirst?: boolean
  }): Promise<Race> => {
    const { round, count, isOursFirst = false } = options
    const prepared = await prepareRedeems(sandbox, { chain, round, count })
    const { account } = devAccount('operator')
    // Mine the service's last transaction, so that both sides start from the same state.
    const nonce = await client.getTransactionCount({ address: account.address })
    const fromBlock = quantity((await client.getBlockNumber({ cacheTime: 0 })) + 1n)
    const mined = { address: chain.creditsContract, topic: redeemedTopic, fromBlock, count }
    const bare = await startBareAnvil(chain)
    const runAnvil = async () => {
      const before = bare.cpuMs()
      const result = await clients.run({
        clients: options.clientsAtOnce,
        mined: { ...mined, rpcUrl: bare.rpcUrl },
        url: bare.rpcUrl,
        bodies: await rawSends(prepared, { chain, account, nonce }),
        headers: prepared.map(() => ({})),
      })
      return { result, anvilAlone: difference(before, bare.cpuMs()) }
    }
    const runService = async () => {
      const before = process.cpuUsage()
      const [mainBefore, anvilBefore] = [mainThreadCpuMs(), anvilProcess()?.cpuMs]
      const result = await clients.run({
        clients: options.clientsAtOnce,
        mined: { ...mined, rpcUrl: chain.rpcUrl },
        url: `${sandbox.url}/api/redeem/evm/sendGaslessTx`,
        bodies: prepared.map(({ body }) => body),
        headers: prepared.map(({ headers }) => headers),
      })
      const { user, system } = process.cpuUsage(before)
      const cpu = {
        service: (user + system) / 1_000,
        mainThread: difference(mainBefore, mainThreadCpuMs()),
        anvilForService: difference(anvilBefore, anvilProcess()?.cpuMs),
      }
      // Let the service close its journal and send its events.
      await new Promise((done) => setTimeout(done, 1_500))
      return { result, ...cpu }
    }
    const early = isOursFirst ? await runService() : undefined
    const { result: anvil, anvilAlone } = await runAnvil()
    const { result: ours, ...cpu } = early ?? (await runService())
    await bare.stop()
    const ratio = anvil.elapsedMs / ours.elapsedMs
    progress(
      `${round}: Anvil ${rate({ ...anvil, count })} a second, the service ${rate({ ...ours, count })}, ${ratio.toFixed(2)}`,
    )
    return { ours, anvil, count, ratio, cpu: { ...cpu, anvilAlone } }
  }
}

function rowsOf(turns: readonly Race[], lone: Race): Row[] {
  const ratios = turns.map(({ ratio }) => Math.round(ratio * 100) / 100)
  const each = (of: (race: Race) => LoadResult) =>
    median(turns.map((race) => rate({ ...of(race), count: race.count })))
  return [
    {
      figure: `redeems: the service's rate by Anvil's own, ${clientsAtOnce} clients`,
      value: median(ratios),
      goal: 0.5,
      better: 'higher',
      unit: '×',
    },
    watched('redeems: the same, first round', ratios[0] ?? Number.NaN, '×'),
    watched('redeems: the same, last round', ratios.at(-1) ?? Number.NaN, '×'),
    watched(
      'redeems: the service',
      each(({ ours }) => ours),
      'a second',
    ),
    watched(
      'redeems: Anvil alone',
      each(({ anvil }) => anvil),
      'a second',
    ),
    {
      figure: "redeems: a single client's latency above Anvil's own, p50",
      value: Math.round((median(lone.ours.latencies) - median(lone.anvil.latencies)) * 10) / 10,
      goal: 10,
      better: 'lower',
      unit: 'ms',
    },
  ]
}

/**
 * CPU time is less sensitive to other programs than the rate. On two cores, the rate is at most 2,000 / CPU milliseconds of all processes.
 */
function cpuRows(turns: readonly Race[]): Row[] {
  const row = (what: string, of: (race: Race) => number | undefined): Row[] => {
    const each = turns.flatMap((race) => {
      const ms = of(race)
      return ms === undefined ? [] : [Math.round((ms / race.count) * 100) / 100]
    })
    if (each.length === 0) return []
    return [{ ...watched(`redeems: CPU of ${what}`, median(each), 'ms each'), better: 'lower' }]
  }
  return [
    ...row('the service', ({ cpu }) => cpu.service),
    ...row('its main thread', ({ cpu }) => cpu.mainThread).map((one) => ({ ...one, goal: 1.5 })),
    ...row('Anvil for the service', ({ cpu }) => cpu.anvilForService),
    ...row('the service, its Anvil and its clients', ({ cpu, ours }) =>
      sum(cpu.service, cpu.anvilForService, ours.cpuMs),
    ),
    ...row('Anvil alone', ({ cpu }) => cpu.anvilAlone),
    ...row('Anvil alone and its clients', ({ cpu, anvil }) => sum(cpu.anvilAlone, anvil.cpuMs)),
  ]
}

const sum = (...values: readonly (number | undefined)[]) =>
  values.reduce((all, one) => (all === undefined || one === undefined ? undefined : all + one), 0)

const difference = (from: number | undefined, to: number | undefined) =>
  from === undefined || to === undefined ? undefined : to - from

const watched = (figure: string, value: number, unit: string): Row => ({
  figure,
  value,
  goal: null,
  better: 'higher',
  unit,
})

const rate = ({ elapsedMs, count }: { elapsedMs: number; count: number }) =>
  Math.round((count / elapsedMs) * 1_000)

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type BareAnvil = {
  rpcUrl: string
  cpuMs: () => number | undefined
  stop: () => Promise<void>
}

/** An Anvil process with the options and the current state of a sandbox's chain. The sandbox must support `anvil_dumpState`. */
async function startBareAnvil({ chainId, rpcUrl }: SandboxChain): Promise<BareAnvil> {
  const folder = await mkdtemp(join(tmpdir(), 'redeemkit-bench-'))
  const state = join(folder, 'state.json')
  await writeFile(state, gunzipSync(Buffer.from((await dump(rpcUrl)).slice(2), 'hex')))
  const options = ['--chain-id', String(chainId), '--load-state', state, '--prune-history', '128']
  const child = spawn(anvilBinary(), ['--port', '0', '--cache-path', folder, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  const ended = once(child, 'exit')
  let text = ''
  const port = () => /Listening on \S+:(\d+)/.exec(text)?.[1]
  while (port() === undefined) text += String((await once(child.stdout, 'data'))[0])
  // An unread pipe would block Anvil.
  child.stdout.resume()
  return {
    rpcUrl: `http://127.0.0.1:${port()}`,
    cpuMs: () => (child.pid === undefined ? undefined : processStat(child.pid)?.cpuMs),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function dump(rpcUrl: string): Promise<string> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  })
  return (await answer.json()).result
}
