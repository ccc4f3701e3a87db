import type { PrivateKeyAccount } from 'viem'
import type { Destination, EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createPauses.ts'
import { createRelayer, type Relayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'
import { sendAlone } from './sendAlone.ts'
import { sendMints } from './sendMints.ts'

/**
 * The relayer of a service: sends on its chains and their bridge destinations, writes down what became of each transaction,
 * and sends by itself what is due, mints and bridge messages.
 */
export function createServiceRelayer(options: createServiceRelayer.Options): Relayer {
  const { database, chains, now, probe, onError } = options
  const destinationOf = (source: number, destination: number): Destination | undefined =>
    [...chains.values()].find(({ chainId }) => chainId === source)?.destinations.get(destination)
  const pauses = createPauses(now)
  const accounts = accountsOf(chains)
  const relayer = createRelayer({
    database,
    chains: relayerChains(chains),
    now,
    accountOf: (address) => accounts.get(address.toLowerCase()),
    probe,
    onError,
    onFinal: (work, { row, receipt }) => finishTransaction(work, { row, receipt, now }),
    onTick: async (store) => {
      // One after the other: both sign in the operator's lane.
      const mints: boolean = await sendMints(store, { relayer, pauses, chains, onError })
      const messages: boolean = await carryMessages(store, { relayer, pauses, destinationOf, onError })
      const alone: boolean = await sendAlone(store, { relayer, pauses, chains, now, onError })
      return mints || messages || alone
    },
  })
  return relayer
}

export declare namespace createServiceRelayer {
  type Options = Pick<createRelayer.Options, 'now' | 'probe' | 'onError'> & {
    database: () => Promise<Database>
    chains: ReadonlyMap<string, EvmChain>
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
