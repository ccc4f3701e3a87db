import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import type { Database } from '../store/database.ts'
import { createPauses } from './createPauses.ts'
import { noteMessagesOnChain } from './noteBridgeMessages.ts'

/**
 * Looks for bridge messages of redeems that strangers relayed, at most once a second, also while nothing else is due. A node that
 * does not answer keeps nothing else back, and is asked with growing pauses.
 *
 * @returns one look, for every pass; it does nothing before its time
 */
export function watchBridges(options: watchBridges.Options): (database: Database) => Promise<void> {
  const { now, wake, onError } = options
  const sources = [...options.chains.values()].filter(({ destinations }) => destinations.size > 0)
  const seen = new Map<number, bigint>()
  const pauses = createPauses(now)
  let lookedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  return async (database) => {
    if (sources.length === 0 || performance.now() - lookedAt < watchEveryMs - slackMs) return
    lookedAt = performance.now()
    clearTimeout(timer)
    for (const chain of sources) {
      const { blockchain } = chain
      if (pauses.has(blockchain)) continue
      try {
        await noteMessagesOnChain(database, { chain, seen, at: new Date(now()) })
        pauses.done(blockchain)
      } catch (cause) {
        pauses.failed(blockchain)
        onError?.(
          new BridgeWatchError(`The bridge messages of ${blockchain} could not be looked for.`, { cause }),
        )
      }
    }
    timer = setTimeout(wake, watchEveryMs).unref()
  }
}

const watchEveryMs = 1_000
/** A pass that comes a little early for another reason looks, too: else an idle service would make two a second. */
const slackMs = 100

export declare namespace watchBridges {
  type Options = {
    chains: ReadonlyMap<string, EvmChain>
    now: () => number
    /** Asks for another pass. */
    wake: () => void
    onError: ((error: unknown) => void) | undefined
  }
}

/** A chain on which it cannot be seen whether redeems that strangers relayed have paid the bridge. It is tried again. */
class BridgeWatchError extends BaseError {
  override readonly name = 'BridgeWatchError'
}
