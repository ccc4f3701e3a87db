import type { PrivateKeyAccount } from 'viem'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import type { JobQueue } from '../store/openJobQueue.ts'
import type { Store } from '../store/openStore.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createLoop.ts'
import { createRelayer, type Relayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { OnFinal } from './followTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'
import { sendAlone } from './sendAlone.ts'
import { watchBridges } from './watchBridges.ts'

export function createServiceRelayer(options: createServiceRelayer.Options): Relayer {
  const { store, chains, now, probe, onError, background } = options
  const sourceOf = (source: number) => [...chains.values()].find(({ chainId }) => chainId === source)
  const pauses = createPauses(now)
  const accounts = accountsOf(chains)
  const lookForMessages = watchBridges({ chains, now, wake: () => relayer.wake(), onError })
  const relayer: Relayer = createRelayer({
    database: async () => (await store()).database,
    isShared: async () => (await store()).isShared,
    chains: relayerChains(chains),
    now,
    accountOf: (address) => accounts.get(address.toLowerCase()),
    probe,
    onError,
    onFinal: async (work, { row, receipt }) => {
      await finishTransaction(work, { row, receipt, now })
      await background().onFinal(work, { row, receipt })
    },
    onTick: async (database) => {
      const { runJob, pass } = background()
      await lookForMessages(database)
      // One after another, because all of this work uses the operator's nonce queue.
      const due = [
        await (await store()).queue.runDue({ handle: runJob, onError }),
        await carryMessages(database, { relayer, pauses, sourceOf, onError }),
        await sendAlone(database, { relayer, pauses, chains, now, onError }),
        await pass(database),
      ]
      return due.some(Boolean)
    },
  })
  return relayer
}

export declare namespace createServiceRelayer {
  type Options = Pick<createRelayer.Options, 'now' | 'probe' | 'onError'> & {
    store: () => Promise<Pick<Store, 'database' | 'queue' | 'isShared'>>
    chains: ReadonlyMap<string, EvmChain>
    /** A function, because the background work is created after the relayer. */
    background: () => Background
  }
}

export type Background = {
  runJob: JobQueue.RunOptions['handle']
  /** Returns whether any work remains. */
  pass: (database: Database) => Promise<boolean>
  /** Records outcomes of the service's own transactions, inside the database transaction that closes the row. */
  onFinal: OnFinal
}

/** Chains by id. A chain of the service replaces a bridge destination with the same id, because only the former has price settings. */
function relayerChains(chains: ReadonlyMap<string, EvmChain>): ReadonlyMap<number, RelayerChain> {
  const byId = new Map<number, RelayerChain>()
  for (const chain of chains.values()) {
    for (const destination of chain.destinations.values())
      if (!byId.has(destination.chainId)) byId.set(destination.chainId, destination)
    byId.set(chain.chainId, chain)
  }
  return byId
}

function accountsOf(chains: ReadonlyMap<string, EvmChain>): ReadonlyMap<string, PrivateKeyAccount> {
  const all = [...chains.values()].flatMap(({ relayers, whitelister, destinations }) => [
    ...relayers,
    ...(whitelister === undefined ? [] : [whitelister]),
    ...[...destinations.values()].map(({ operator }) => operator),
  ])
  return new Map(all.map((account) => [account.address.toLowerCase(), account]))
}
