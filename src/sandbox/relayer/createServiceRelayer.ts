import type { Destination, EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createPauses.ts'
import { createRelayer, type Relayer } from './createRelayer.ts'
import { finishTransaction } from './finishTransaction.ts'
import type { OnFinal } from './followTransaction.ts'
import type { RelayerChain } from './relayerChain.ts'
import { watchBridges } from './watchBridges.ts'

/**
 * The relayer of a service: sends on its chains and their bridge destinations, writes down what became of each transaction,
 * and sends by itself what is due: bridge messages, and what the service's own steps send.
 */
export function createServiceRelayer(options: createServiceRelayer.Options): Relayer {
  const { database, chains, now, probe, onError, background } = options
  const destinationOf = (source: number, destination: number): Destination | undefined =>
    [...chains.values()].find(({ chainId }) => chainId === source)?.destinations.get(destination)
  const pauses = createPauses(now)
  const lookForMessages = watchBridges({ chains, now, wake: () => relayer.wake(), onError })
  const relayer: Relayer = createRelayer({
    database,
    chains: relayerChains(chains),
    now,
    probe,
    onError,
    onFinal: async (work, { row, receipt }) => {
      await finishTransaction(work, { row, receipt, now })
      try {
        await background().onFinal(work, { row, receipt })
      } catch (cause) {
        // Takes the closing of the row back, too; the next pass closes it again.
        throw new Error(`What became of transaction ${row.hash} was not written down.`, { cause })
      }
    },
    onTick: async (store) => {
      await lookForMessages(store)
      // One after the other: all sign in the operator's lane.
      let due: boolean = await carryMessages(store, { relayer, pauses, destinationOf, onError })
      for (const step of background().steps)
        try {
          if (await step(store)) due = true
        } catch (error) {
          // It keeps none of the others back, and is done again.
          due = true
          onError?.(error)
        }
      return due
    },
  })
  return relayer
}

export declare namespace createServiceRelayer {
  type Options = Pick<createRelayer.Options, 'now' | 'probe' | 'onError'> & {
    database: () => Promise<Database>
    chains: ReadonlyMap<string, EvmChain>
    /** What the service does by itself. Asked for when it is needed: it is made of the service, which has this relayer. */
    background: () => Background
  }
  type ErrorType = createRelayer.ErrorType
}

/** Work of the service that goes with the relayer's. */
export type Background = {
  /** Done at each pass, one after the other. Each tells whether something stays due. */
  steps: readonly ((database: Database) => Promise<boolean>)[]
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
