import { type BlocksView, finalityBlocks } from './blocks.ts'
import type { Ledger, LedgerTransaction } from './createLedger.ts'

/** Locally, an included transaction is confirmed immediately and final 32 blocks later. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Number of recent slots whose signatures a node knows without its archive. */
const rememberedSlots = 300

/** A node that lags at least this many slots reports itself unhealthy. */
const unhealthyLag = 128

export type Node = ReturnType<typeof openNode>

/**
 * @param options.lagSlots number of the latest slots whose transactions the node does not know
 */
export function openNode(ledger: Ledger, options: { lagSlots?: number | undefined } = {}) {
  const { lagSlots = 0 } = options
  const behind = (commitment: Commitment) => lagSlots + (commitment === 'finalized' ? finalityBlocks : 0)
  const at = (commitment: Commitment): BlocksView => ledger.at(behind(commitment))
  const stateOf = ({ slot }: LedgerTransaction): Commitment =>
    slot <= at('finalized').slot ? 'finalized' : 'confirmed'
  return {
    ledger,
    behind,
    at,
    stateOf,
    unhealthyBy: lagSlots >= unhealthyLag ? lagSlots : undefined,
    /** Without `archive`, searches only recent slots. */
    find: (
      signature: string,
      { archive, commitment = 'processed' }: { archive: boolean; commitment?: Commitment | undefined },
    ): LedgerTransaction | undefined => {
      const found = ledger.transactions.get(signature)
      const { slot } = at(commitment)
      if (found === undefined || found.slot > slot) return undefined
      return archive || found.slot >= slot - rememberedSlots ? found : undefined
    },
  }
}
