import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { MovableClock } from '../process/movableClock.ts'
import { setPlan } from '../service/subscription/plans.ts'
import { setWebhooks } from '../service/webhooks/webhookSettings.ts'
import { type DatabaseWork, lockIn } from '../store/database.ts'
import { restoreClock } from '../store/keptClock.ts'
import { openStore, type Store, toStore } from '../store/openStore.ts'
import { forgetTransfers, queuePending, setDeployments } from '../store/setDeployments.ts'
import { setMerchants } from '../store/setMerchants.ts'
import { transferBlockchains } from '../store/states.ts'
import type { SandboxOptions } from './sandboxOptions.ts'

/** The database, opened by the first who asks, with merchants and deployments as the options say. */
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
    // What another process wrote and did not live to finish is found by looking.
    const look = () =>
      restoreClock(store.database, context.clock)
        // A database that is away is told by the pass that is woken here; the clock is looked at again by the next look.
        .catch(() => {})
        .then(context.onOpen)
    if (store.isShared) heartbeat = setInterval(look, heartbeatMs).unref()
    // What a former process left open is taken up again.
    context.onOpen()
    return store
  }
  return {
    open: () => {
      opened ??= open().catch((cause: unknown) => {
        // A server that is down now may be up at the next use.
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
  /** What is open, or being opened. */
  opened: () => Promise<Store> | undefined
  close: () => Promise<void>
}

const heartbeatMs = 2_000

/** Merchants and deployments as the options say. */
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
