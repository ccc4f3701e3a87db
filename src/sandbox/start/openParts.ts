import type { Environment } from '../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../redeemkit/core/time/clock.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { checkForkOrigin } from '../chains/anvil/fork/checkForkOrigin.ts'
import { listen } from '../servers/listen.ts'
import type { ServiceKind } from '../serviceKind.ts'
import { checkDatabaseUrl } from '../store/openPostgres.ts'
import { openStore } from '../store/openStore.ts'
import { chainsToStart } from './chainsToStart.ts'
import type { Closers } from './createClosers.ts'
import type { Front } from './createFront.ts'
import { forksToStart } from './forksToStart.ts'
import { type KeptSettings, writeKeptSettings } from './keptSettings.ts'
import { openRoutes } from './openRoutes.ts'
import { startEvmChains } from './startEvmChains.ts'
import { checkPackages, startOtherChains } from './startOtherChains.ts'

/**
 * Opens the port, the database and the chains, the latter side by side. When one of them fails, all that did start are in
 * `closers`.
 */
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
  // A package that is missing is told before anything is started.
  await checkPackages(others)
  const openPort = async (port: number) => {
    const opened = await listen({ fetch: front.fetch, port })
    closers.add(opened.close)
    return opened
  }
  // A port that is in use is told before anything is started. One that the folder keeps is in use by the folder's own
  // service, when that runs: the folder's lock tells of it.
  const early =
    dataDir === undefined || options.port !== undefined ? await openPort(options.port ?? 0) : undefined
  // So is an endpoint that is of no use: before the seconds that a database takes, and before the folder is written in.
  await Promise.all(
    [...forks].map(([blockchain, fork]) =>
      checkForkOrigin({ ...fork, chainId: networkOf({ blockchain, environment }).chainId }),
    ),
  )
  if (dataDir !== undefined) await writeKeptSettings(dataDir, kept)
  onProgress(`Opening the database${databaseUrl === undefined ? '' : ` at ${checkDatabaseUrl(databaseUrl)}`}`)
  let onLocked = () => {}
  const locked = new Promise<void>((resolve) => {
    onLocked = resolve
  })
  const opening = openStore({ dataDir, databaseUrl, onLocked })
  // Whatever fails from here on, the database is there before it is closed; one that did not open holds nothing.
  closers.add(() =>
    opening.then(
      (store) => store.close(),
      () => {},
    ),
  )
  // A server that cannot be used is told at once. The folder's lock also covers the chains' files in it.
  await (databaseUrl === undefined ? Promise.race([locked, opening]) : opening)
  const { url, port } = early ?? (await openPort(kept.ports.service ?? 0))
  const urlOf = (name: string) => `${url}/rpc/${name}`
  onProgress(`Starting ${[...names, ...others].join(', ')}`)
  // Beside the EVM chains, each in its own time.
  const starting = startOtherChains(others, {
    service,
    creditSeed,
    now,
    closers,
    tempoUrl: urlOf('tempo'),
    ports: kept.ports,
    allowedOrigins,
  })
  // Awaited below; until then a failure must not end the process as one that is unhandled.
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
    return { url, chains, ...rest, store: await opening }
  } catch (error) {
    // What is still starting has to be there before it can be closed.
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

/** Where everything listens now; a chain that this start leaves out keeps its port for the next. */
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
