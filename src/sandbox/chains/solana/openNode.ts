import { type BlocksView, finalityBlocks } from './blocks.ts'
import type { Ledger } from './createLedger.ts'
import type { LedgerTransaction } from './ledgerTransaction.ts'

/** Commitment level. Locally, an included transaction is confirmed immediately and final 32 blocks later. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Number of recent slots whose signatures a node knows without its archive. */
const rememberedSlots = 300

/** A node that lags at least this many slots reports itself unhealthy. */
const unhealthyLag = 128

/** One node of the network, which may lag. */
export type Node = ReturnType<typeof openNode>

/**
 * Opens a node on the chain.
 *
 * @param options.lagSlots how many slots the node lags; it does not know later transactions
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
    /** Looks up a transaction that this node knows; without `archive`, only in recent slots. */
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
