import { zeroAddress } from 'viem'
import type { Environment } from '../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../redeemkit/core/clock.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { administer, roles } from '../chains/anvil/deployCredits.ts'
import { checkForkOrigin } from '../chains/anvil/forkOrigin.ts'
import { defaultPriceCents } from '../chains/connectEvmChain.ts'
import { testAccountNames } from '../runningSandbox.ts'
import { listen } from '../servers/listen.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { checkDatabaseUrl } from '../store/openPostgres.ts'
import { openStore } from '../store/openStore.ts'
import { withPackage } from '../withPackage.ts'
import { chainsToStart, forksToStart, type OtherBlockchain } from './chainsToStart.ts'
import { allOrNone, type Closers } from './createClosers.ts'
import type { Front } from './createFront.ts'
import { gift, sandboxAccounts } from './fundAccounts.ts'
import { type KeptSettings, writeKeptSettings } from './keptSettings.ts'
import { type StartedChain, startEvmChains } from './startEvmChains.ts'

/** Opens and starts all parts concurrently. If one fails, the parts that have started are in `closers`. */
export async function openParts(
  options: openParts.Options,
  context: {
    now: Clock
    service: ServiceKind
    environment: Environment
    creditSeed: string
    kept: KeptSettings
    front: Front
    onProgress: (step: string) => void
    closers: Closers
  },
) {
  const { dataDir, databaseUrl, allowedOrigins, onWarning = context.onProgress } = options
  const { now, service, environment, creditSeed, kept, front, onProgress, closers } = context
  const { names, others } = chainsToStart(options)
  const forks = forksToStart(options, { names })
  // Reports a missing package before anything is started.
  await checkPackages(others)
  const openPort = async (port: number) => {
    const opened = await listen({ fetch: front.fetch, port })
    closers.add(opened.close)
    return opened
  }
  // Reports a port in use before anything is started. If this folder's own service is running on the stored port, the folder's lock below
  // reports it.
  const early =
    dataDir === undefined || options.port !== undefined ? await openPort(options.port ?? 0) : undefined
  // Reports an unusable endpoint before the database is opened, which takes seconds, and before the folder is written to.
  await Promise.all(
    [...forks].map(([blockchain, fork]) =>
      checkForkOrigin({ ...fork, chainId: networkOf({ blockchain, environment }).chainId }),
    ),
  )
  onProgress(`Opening the database${databaseUrl === undefined ? '' : ` at ${checkDatabaseUrl(databaseUrl)}`}`)
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => {
    onLocked = resolve
  })
  const opening = openStore({ dataDir, databaseUrl, onLocked })
  // Waits for the database before closing it. If it did not open, there is nothing to close.
  closers.add(() =>
    opening.then(
      (store) => store.close(),
      () => {},
    ),
  )
  // Reports an unusable server immediately. The folder's lock also protects the chains' files.
  await (databaseUrl === undefined ? Promise.race([locked, opening]) : opening)
  // Writes the settings only with the lock: if the folder is in use, they belong to the running service.
  if (dataDir !== undefined) await writeKeptSettings(dataDir, kept)
  const { url, port, close } = early ?? (await openPort(kept.ports.service ?? 0))
  const urlOf = (name: string) => `${url}/rpc/${name}`
  onProgress(`Starting ${[...names, ...others].join(', ')}`)
  // These chains start concurrently with the EVM chains.
  const starting = startOtherChains(others, {
    service,
    creditSeed,
    now,
    closers,
    tempoUrl: urlOf('tempo'),
    ports: kept.ports,
    allowedOrigins,
  })
  // The promise is awaited below. Until then, a failure must not become an unhandled rejection.
  starting.catch(() => {})
  try {
    const chains = await startEvmChains(names, {
      service,
      environment,
      dataDir,
      forks,
      closers,
      now,
      urlOf,
      onWarning,
    })
    onProgress('Deploying contracts')
    await openRoutes(chains)
    const rest = await starting
    for (const { blockchain, node } of chains) front.addNode(blockchain, node)
    if (rest.tempo !== undefined) front.addNode('tempo', rest.tempo.node)
    if (dataDir !== undefined)
      await writeKeptSettings(dataDir, { ...kept, ports: portsOf(kept, { port, ...rest }) })
    return { url, close, chains, ...rest, store: opening }
  } catch (error) {
    // A part can be closed only once it has started.
    await Promise.allSettled([starting])
    throw error
  }
}

export declare namespace openParts {
  type Options = chainsToStart.Options &
    forksToStart.Options & {
      port?: number | undefined
      dataDir?: string | undefined
      databaseUrl?: string | undefined
      allowedOrigins?: readonly string[] | undefined
      onWarning?: ((text: string) => void) | undefined
    }
}

/** A chain that is not started keeps its stored port for a later start. */
function portsOf(
  kept: KeptSettings,
  now: {
    port: number
    solana?: { solana: { rpcUrl: string } } | undefined
    stellar?: { stellar: { rpcUrl: string } } | undefined
  },
): KeptSettings['ports'] {
  const portOf = (url: string) => Number(new URL(url).port)
  return {
    ...kept.ports,
    service: now.port,
    ...(now.solana && { solana: portOf(now.solana.solana.rpcUrl) }),
    ...(now.stellar && { stellar: portOf(now.stellar.stellar.rpcUrl) }),
  }
}

/** Opens the bridge from each new chain to all others, and gives it liquidity. */
async function openRoutes(chains: readonly StartedChain[]): Promise<void> {
  await Promise.all(chains.filter(({ fresh }) => fresh).map((chain) => openRoutesFrom(chain, chains)))
  for (const chain of chains) await trustAdapters(chain, chains)
}

/** Lets a chain's adapter execute messages from the other chains. A stored chain gets new chains as sources. */
async function trustAdapters(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  const { rpc, deployment } = chain
  for (const other of chains) {
    if (other === chain || !(chain.fresh || other.fresh)) continue
    const source = other.deployment.bridgeAdapter
    const args = [BigInt(other.chainId), source, true] as const
    await administer(rpc, deployment.bridgeAdapter, { functionName: 'setSource', args })
  }
}

async function openRoutesFrom(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  const { rpc, deployment } = chain
  const { bridgeAdapter } = deployment
  await chain.mintUsdc(roles.operator.account.address, liquidity)
  await chain.mintUsdc(roles.bank.account.address, liquidity)
  await chain.mintUsdc(bridgeAdapter, liquidity)
  await rpc.setBalance(bridgeAdapter, coins)
  const usdc = usdcToken({ chainId: chain.chainId }).address
  const limits = [
    [usdc, liquidity],
    [zeroAddress, coins],
  ] as const
  for (const args of limits) await administer(rpc, bridgeAdapter, { functionName: 'setDailyLimit', args })
  for (const other of chains) {
    if (other === chain) continue
    const { chainId } = other
    // 1 USDC costs 1 USDC, and native coin costs the placeholder price that is also used for gas fees.
    const routes = [
      [BigInt(chainId), usdcToken({ chainId }).address, 1_000_000n],
      [BigInt(chainId), zeroAddress, (100n * 10n ** 18n) / defaultPriceCents],
    ] as const
    for (const args of routes) await administer(rpc, bridgeAdapter, { functionName: 'setRoute', args })
  }
}

/** Amounts of USDC (raw units) and native coin (wei) that the adapter holds and may deliver per day. */
const liquidity = 10n ** 18n
const coins = 10n ** 24n

async function checkPackages(others: readonly OtherBlockchain[]): Promise<void> {
  if (others.includes('stellar')) await importStellar()
}

const importStellar = () =>
  withPackage('@stellar/stellar-sdk', () => import('../chains/stellar/startSandboxStellar.ts'))

/** Loads only the code of the chains that were requested. */
async function startOtherChains(
  others: readonly OtherBlockchain[],
  options: {
    service: ServiceKind
    creditSeed: string
    now: Clock | undefined
    closers: Closers
    tempoUrl: string
    ports: KeptSettings['ports']
    allowedOrigins: readonly string[] | undefined
  },
) {
  const { service, creditSeed, now, closers, tempoUrl, ports, allowedOrigins } = options
  const started = async <chain>(
    name: OtherBlockchain,
    start: () => Promise<chain>,
  ): Promise<chain | undefined> => (others.includes(name) ? start() : undefined)
  const closing = <chain extends { stop: () => Promise<unknown> }>(chain: chain): chain => {
    closers.add(() => chain.stop())
    return chain
  }
  const solana = started('solana', async () => {
    const { startSandboxSolana } = await import('../chains/solana/startSandboxSolana.ts')
    return closing(
      await startSandboxSolana({ names: testAccountNames, now, port: ports.solana, allowedOrigins }),
    )
  })
  const stellar = started('stellar', async () => {
    const { startSandboxStellar } = await importStellar()
    return closing(
      await startSandboxStellar({ names: testAccountNames, now, port: ports.stellar, allowedOrigins }),
    )
  })
  const tempo = started('tempo', async () => {
    const { openTempoAnvil } = await import('../chains/tempo/openTempoAnvil.ts')
    const { setUpTempo } = await import('../chains/tempo/startTempoChain.ts')
    const node = await openTempoAnvil()
    closers.add(node.stop)
    const wallets = Object.values(sandboxAccounts()).map(({ address }) => address)
    return {
      node,
      ...(await setUpTempo(node, { service, creditSeed, credits: gift, wallets, url: tempoUrl })),
    }
  })
  await allOrNone<unknown>([solana, stellar, tempo])
  return { solana: await solana, stellar: await stellar, tempo: await tempo }
}
