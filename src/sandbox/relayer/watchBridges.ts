import type { EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import { noteMessagesOnChain } from './noteBridgeMessages.ts'

/**
 * Looks for bridge messages of redeems that strangers relayed, at most once a second, also while nothing else is due. A node that
 * does not answer keeps nothing else back.
 *
 * @returns one look, for every pass; it does nothing before its time
 */
export function watchBridges(options: watchBridges.Options): (database: Database) => Promise<void> {
  const { now, wake, onError } = options
  const sources = [...options.chains.values()].filter(({ destinations }) => destinations.size > 0)
  const seen = new Map<number, bigint>()
  let due = sources.length > 0
  return async (database) => {
    if (!due) return
    due = false
    for (const chain of sources) {
      try {
        await noteMessagesOnChain(database, { chain, seen, at: new Date(now()) })
      } catch (error) {
        onError?.(error)
      }
    }
    const timer = setTimeout(() => {
      due = true
      wake()
    }, 1_000)
    timer.unref()
  }
}

export declare namespace watchBridges {
  type Options = {
    chains: ReadonlyMap<string, EvmChain>
    now: () => number
    /** Asks for another pass. */
    wake: () => void
    onError: ((error: unknown) => void) | undefined
  }
}
