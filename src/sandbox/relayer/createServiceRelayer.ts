import type { PrivateKeyAccount } from 'viem'
import type { Destination, EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import type { JobData } from '../store/jobTables.ts'
import type { Store } from '../store/openStore.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createPauses.ts'
import { createRelayer, type Relayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'
import { sendAlone } from './sendAlone.ts'
import { sendMint } from './sendMint.ts'

/**
 * The relayer of a service: sends on its chains and their bridge destinations, writes down what became of each transaction,
 * and sends by itself what is due, mints and bridge messages.
 */
export function createServiceRelayer(options: createServiceRelayer.Options): Relayer {
  const { store, chains, now, due = [], probe, onError } = options
  const destinationOf = (source: number, destination: number): Destination | undefined =>
    [...chains.values()].find(({ chainId }) => chainId === source)?.destinations.get(destination)
  const pauses = createPauses(now)
  const accounts = accountsOf(chains)
  const relayer = createRelayer({
    database: async () => (await store()).database,
    chains: relayerChains(chains),
    now,
    accountOf: (address) => accounts.get(address.toLowerCase()),
    probe,
    onError,
    onFinal: async (work, { row, receipt }) =>
      finishTransaction(work, { row, receipt, now, queue: (await store()).queue }),
    onTick: async (database) => {
      // One after the other: both sign in the operator's lane.
      const handlers = {
        mint: ({ jobId }: JobData['mint']) => sendMint(database, { relayer, chains, jobId }),
      }
      const jobs: boolean = await (await store()).queue.runDue({ handlers, onError })
      const messages: boolean = await carryMessages(database, { relayer, pauses, destinationOf, onError })
      const alone: boolean = await sendAlone(database, { relayer, pauses, chains, now, onError })
      let others = false
      for (const step of due) if (await step(database)) others = true
      return jobs || messages || alone || others
    },
  })
  return relayer
}

export declare namespace createServiceRelayer {
  type Options = Pick<createRelayer.Options, 'now' | 'probe' | 'onError'> & {
    store: () => Promise<Pick<Store, 'database' | 'queue'>>
    chains: ReadonlyMap<string, EvmChain>
    /** What else is done at every pass, by those who know. Each says whether something stays due. */
    due?: readonly ((database: Database) => Promise<boolean>)[] | undefined
  }
  type ErrorType = createRelayer.ErrorType
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
