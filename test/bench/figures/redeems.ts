import { createPublicClient, http } from 'viem'
import { devAccount } from '../../../src/sandbox/devAccounts.ts'
import { type RunningSandbox, type SandboxChain, startSandbox } from '../../../src/sandbox/index.ts'
import { anvilProcess, mainThreadCpuMs } from '../anvilProcess.ts'
import type { Figure, Row } from '../figure.ts'
import { prepareRedeems, quantity, rawSends, redeemedTopic } from '../load/prepareRedeems.ts'
import { type LoadResult, startClients } from '../load/runLoad.ts'
import { startBareAnvil } from '../load/startBareAnvil.ts'

const clientsAtOnce = 16
const rounds = 7
const perRound = 160
const loneRedeems = 40

export const redeems: Figure = {
  name: 'redeems',
  about: 'signed redeems through the service over HTTP against the same ones sent to an Anvil of their own',
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
      await race({ round: 'warm-up', count: perRound, clientsAtOnce })
      const lone = await race({ round: 'lone', count: loneRedeems, clientsAtOnce: 1 })
      const start = await sandbox.snapshot()
      const turns: Race[] = []
      for (let round = 0; round < rounds; round++) {
        await sandbox.revert(start)
        turns.push(
          await race({ round: String(round), count: perRound, clientsAtOnce, isOursFirst: round % 2 === 1 }),
        )
      }
      return [...rowsOf(turns, lone), ...cpuRows(turns)]
    } finally {
      clients.stop()
      await sandbox.stop()
    }
  },
}

/** `cpu` in milliseconds: of the service, of its main thread, and of Anvil for it; undefined where the system does not report it. */
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
    // Mines the service's last transaction, so that both start from the same state.
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
      return {
        result,
        service: (user + system) / 1_000,
        mainThread: difference(mainBefore, mainThreadCpuMs()),
        anvilForService: difference(anvilBefore, anvilProcess()?.cpuMs),
      }
    }
    const early = isOursFirst ? await runService() : undefined
    const { result: anvil, anvilAlone } = await runAnvil()
    const { result: ours, ...cpu } = early ?? (await runService())
    await bare.stop()
    // The journal is closed before the next round.
    await new Promise((done) => setTimeout(done, 1_000))
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
      figure: "redeems: a lone client's answer above Anvil's own, p50",
      value: Math.round((median(lone.ours.latencies) - median(lone.anvil.latencies)) * 10) / 10,
      goal: 10,
      better: 'lower',
      unit: 'ms',
    },
  ]
}

/** Told apart from the clock: they hold on a busy machine, too. */
function cpuRows(turns: readonly Race[]): Row[] {
  const each = (of: (cpu: Race['cpu']) => number | undefined) =>
    turns.flatMap(({ cpu, count }) => {
      const ms = of(cpu)
      return ms === undefined ? [] : [Math.round((ms / count) * 100) / 100]
    })
  const forService = each(({ anvilForService }) => anvilForService)
  const [first, last] = [forService[0], forService.at(-1)]
  const mainThread = each((cpu) => cpu.mainThread)
  const rows = [
    cpuRow('redeems: CPU of the service', median(each(({ service }) => service))),
    ...(mainThread.length === 0
      ? []
      : [{ ...cpuRow('redeems: CPU of its main thread', median(mainThread)), goal: 1.5 }]),
  ]
  if (first === undefined || last === undefined) return rows
  return [
    ...rows,
    cpuRow('redeems: CPU of Anvil alone', median(each(({ anvilAlone }) => anvilAlone))),
    cpuRow('redeems: CPU of Anvil for the service', median(forService)),
    cpuRow(`redeems: the same, first round`, first),
    cpuRow(`redeems: the same, last round`, last),
  ]
}

const cpuRow = (figure: string, value: number): Row => ({
  ...watched(figure, value, 'ms each'),
  better: 'lower',
})

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
