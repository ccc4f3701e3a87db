import type { PrivateKeyAccount } from 'viem'
import type { Destination, EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import type { JobQueue } from '../store/openJobQueue.ts'
import type { Store } from '../store/openStore.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createPauses.ts'
import { createRelayer, type Relayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { OnFinal } from './followTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'
import { sendAlone } from './sendAlone.ts'
import { watchBridges } from './watchBridges.ts'

/**
 * The relayer of a service: sends on its chains and their bridge destinations, writes down what became of each transaction,
 * and sends by itself what is due: bridge messages, and what the service's own steps send.
 */
export function createServiceRelayer(options: createServiceRelayer.Options): Relayer {
  const { store, chains, now, probe, onError, background } = options
  const destinationOf = (source: number, destination: number): Destination | undefined =>
    [...chains.values()].find(({ chainId }) => chainId === source)?.destinations.get(destination)
  const pauses = createPauses(now)
  const accounts = accountsOf(chains)
  const lookForMessages = watchBridges({ chains, now, wake: () => relayer.wake(), onError })
  const relayer: Relayer = createRelayer({
    database: async () => (await store()).database,
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
      const { handlers, pass } = background()
      await lookForMessages(database)
      // One after the other: all sign in the operator's lane.
      let due: boolean = await (await store()).queue.runDue({ handlers, onError })
      if (await carryMessages(database, { relayer, pauses, destinationOf, onError })) due = true
      if (await sendAlone(database, { relayer, pauses, chains, now, onError })) due = true
      if (await pass(database)) due = true
      return due
    },
  })
  return relayer
}

export declare namespace createServiceRelayer {
  type Options = Pick<createRelayer.Options, 'now' | 'probe' | 'onError'> & {
    store: () => Promise<Pick<Store, 'database' | 'queue'>>
    chains: ReadonlyMap<string, EvmChain>
    /** What the service does by itself. Asked for when it is needed: it is made of the service, which has this relayer. */
    background: () => Background
  }
  type ErrorType = createRelayer.ErrorType
}

/** Work of the service that goes with the relayer's. */
export type Background = {
  /** What runs the jobs of the queue that are due. */
  handlers: JobQueue.RunOptions['handlers']
  /** Does what is due, at each pass. @returns whether something stays due */
  pass: (database: Database) => Promise<boolean>
  /** Writes down what became of that which the service sent by itself, in the database transaction that closes the row. */
  onFinal: OnFinal
}

/** By chain id. A chain of its own counts before the same chain as a destination: it has the price settings. */
function relayerChains(chains: ReadonlyMap<string, EvmChain>): ReadonlyMap<number, RelayerChain> {
  const byId = new Map<number, RelayerChain>()
  for (const chain of chains.values()) {
    for (const destination of chain.destinations.values())
      if (!byId.has(destination.chainId)) byId.set(destination.chainId, destination)
    byId.set(chain.chainId, chain)
  }
  return byId
}

/** Everybody who sends for the service, by address in lower case. */
function accountsOf(chains: ReadonlyMap<string, EvmChain>): ReadonlyMap<string, PrivateKeyAccount> {
  const all = [...chains.values()].flatMap(({ relayers, whitelister, destinations }) => [
    ...relayers,
    ...(whitelister === undefined ? [] : [whitelister]),
    ...[...destinations.values()].map(({ operator }) => operator),
  ])
  return new Map(all.map((account) => [account.address.toLowerCase(), account]))
}
