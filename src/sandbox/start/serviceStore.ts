import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { grouped } from '../concurrency.ts'
import { setPlan } from '../service/subscription/plans.ts'
import { setWebhooks } from '../service/webhooks/webhookSettings.ts'
import { type DatabaseWork, lockIn } from '../store/database.ts'
import { type MovableClock, restoreClock } from '../store/movableClock.ts'
import { openStore, type Store, toStore } from '../store/openStore.ts'
import { forgetTransfers, queuePending, setDeployments } from '../store/setDeployments.ts'
import { setMerchants } from '../store/setMerchants.ts'
import { transferBlockchains } from '../store/states.ts'
import type { SandboxOptions } from './sandbox.ts'

/** Creates the service's database, which is opened on first use and set up with the merchants and deployments in the options. */
export function serviceStore(
  options: SandboxOptions,
  context: { chains: ReadonlyMap<EvmBlockchain, EvmChain>; clock: MovableClock; onOpen: () => void },
): ServiceStore {
  let opened: Promise<Store> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  const open = async () => {
    const { dataDir, databaseUrl } = options
    const store =
      options.store === undefined ? await openStore({ dataDir, databaseUrl }) : toStore(await options.store())
    try {
      await lockIn(store.database, 'set up', async (work) => {
        await setUp(work, options, context)
        await queuePending(work, store.queue)
      })
      await restoreClock(store.database, context.clock)
    } catch (cause) {
      await store.close()
      throw cause
    }
    // Polls for work that another process stored but did not complete.
    const look = () =>
      restoreClock(store.database, context.clock)
        // If the database is unavailable, the relayer, which is woken below, reports it.
        .catch(() => {})
        .then(context.onOpen)
    if (store.isShared) heartbeat = setInterval(look, heartbeatMs).unref()
    // Resumes the work that an earlier process left pending.
    context.onOpen()
    return store
  }
  return {
    open: () => {
      opened ??= open().catch((cause: unknown) => {
        // The next use opens the database again.
        opened = undefined
        throw cause
      })
      return opened
    },
    opened: () => opened,
    close: async () => {
      clearInterval(heartbeat)
      if (opened !== undefined) await (await opened).close()
    },
  }
}

export type ServiceStore = {
  open: () => Promise<Store>
  /** Undefined unless the store is open or being opened. */
  opened: () => Promise<Store> | undefined
  close: () => Promise<void>
}

const heartbeatMs = 2_000

async function setUp(
  work: DatabaseWork,
  options: SandboxOptions,
  { chains, clock }: { chains: ReadonlyMap<EvmBlockchain, EvmChain>; clock: MovableClock },
): Promise<void> {
  await setMerchants(
    work,
    options.merchants.map(({ creditSeed, apiKey, apiKeys = [], ...merchant }) => ({
      ...merchant,
      keys: [{ key: apiKey }, ...apiKeys],
      creditSeed: creditSeed ?? merchant.merchantId,
    })),
  )
  await setWebhooks(work, options.merchants)
  for (const { merchantId, plans = [] } of options.merchants)
    for (const plan of plans) await setPlan(work, { merchantId, plan, at: new Date(clock()) })
  for (const blockchain of transferBlockchains)
    if (options[blockchain]?.fresh === true) await forgetTransfers(work, blockchain)
  await setDeployments(
    work,
    [...chains.values()].map(({ blockchain, chainId, creditsContract }) => ({
      blockchain,
      chainId,
      creditsContract,
      fresh: options.chains.some((chain) => chain.blockchain === blockchain && chain.fresh === true),
    })),
  )
}

/** Reads the clock offset that other processes have set. Concurrent callers share one query. */
export function clockListener(
  opened: () => Promise<Store> | undefined,
  clock: MovableClock,
): () => Promise<void> {
  const hear = grouped<Store, undefined>(
    async (stores) => {
      for (const { database } of stores.slice(0, 1)) await restoreClock(database, clock)
      return stores.map(() => undefined)
    },
    { most: Number.POSITIVE_INFINITY },
  )
  return async () => {
    try {
      // A store that is being opened reads the clock itself.
      const store = await opened()
      if (store?.isShared === true) await hear(store)
    } catch {
      // If the database is unavailable, the code that needs it reports that.
    }
  }
}
