import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import type { EvmClient } from '../../../../redeemkit/evm/client.ts'

/** A state of a local chain that it can be put back to. */
export type ChainSnapshot = {
  /**
   * Puts the chain back, as often as it is called. What waits to be mined is forgotten. Its next block carries a time soon after the
   * newest block's; `setChainTime` says another.
   *
   * @throws {@link ChainSnapshotGoneError}
   */
  revert: () => Promise<void>
}

/** Keeps the state of a local chain. */
export async function snapshotChain(chain: EvmClient): Promise<ChainSnapshot> {
  const take = () => chain.request({ method: 'evm_snapshot', params: [] })
  let id = await take()
  return {
    revert: async () => {
      // Else it would be mined on the chain that was put back.
      await chain.request({ method: 'anvil_dropAllTransactions', params: [] })
      const isBack = await chain.request({ method: 'evm_revert', params: [id] }).catch(() => false)
      if (isBack !== true)
        throw new ChainSnapshotGoneError('The chain has this snapshot no more.', {
          fix: 'It was put back to an earlier one meanwhile, or has ended. Take a new snapshot.',
        })
      // A node gives a snapshot up with its use.
      id = await take()
    },
  }
}

export declare namespace snapshotChain {
  /** By `revert`. */
  type ErrorType = ChainSnapshotGoneError
}

/** A snapshot that a local chain does not have any more. */
export class ChainSnapshotGoneError extends BaseError {
  override readonly name = 'ChainSnapshotGoneError'
}
