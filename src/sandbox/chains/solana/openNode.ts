import type { BlocksView } from './blocks.ts'
import { finalityBlocks } from './blocks.ts'
import type { Ledger } from './createLedger.ts'
import type { LandedTransaction } from './landedTransactions.ts'

/** How sure an answer must be. Here whatever has landed is confirmed at once, and final 32 blocks later. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Slots for which a node remembers signatures without its archive. */
const rememberedSlots = 300

/** Slots behind the others from which on a node calls itself unhealthy. */
const unhealthyLag = 128

/** One node of the network, up to date or behind the others. */
export type Node = ReturnType<typeof openNode>

/**
 * Opens a node on the chain.
 *
 * @param options.lagSlots how many slots it is behind; what landed since is unknown to it
 */
export function openNode(ledger: Ledger, options: { lagSlots?: number | undefined } = {}) {
  const { lagSlots = 0 } = options
  const behind = (commitment: Commitment) => lagSlots + (commitment === 'finalized' ? finalityBlocks : 0)
  const at = (commitment: Commitment): BlocksView => ledger.at(behind(commitment))
  const stateOf = ({ slot }: LandedTransaction): Commitment =>
    slot <= at('finalized').slot ? 'finalized' : 'confirmed'
  return {
    ledger,
    behind,
    at,
    stateOf,
    /** How many slots it is behind, when that is too many. */
    unhealthyBy: lagSlots >= unhealthyLag ? lagSlots : undefined,
    /** A transaction that landed, as far as this node knows; without `archive` of the last slots only. */
    find: (
      signature: string,
      { archive, commitment = 'processed' }: { archive: boolean; commitment?: Commitment | undefined },
    ): LandedTransaction | undefined => {
      const found = ledger.landed.get(signature)
      const { slot } = at(commitment)
      if (found === undefined || found.slot > slot) return undefined
      return archive || found.slot >= slot - rememberedSlots ? found : undefined
    },
  }
}
