import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'

export type ChainSnapshot = {
  /**
   * Restores the snapshot and discards pending transactions. It may be called repeatedly. The next block's time follows the
   * newest block's.
   */
  revert: () => Promise<void>
}

export async function snapshotChain(chain: EvmClient): Promise<ChainSnapshot> {
  const take = () => chain.request({ method: 'evm_snapshot', params: [] })
  let id = await take()
  return {
    revert: async () => {
      // Otherwise pending transactions would be mined on the restored chain.
      await chain.request({ method: 'anvil_dropAllTransactions', params: [] })
      // Like `false`, an error means that the snapshot is gone.
      const isBack = await chain.request({ method: 'evm_revert', params: [id] }).catch(() => false)
      if (isBack !== true)
        throw new ChainSnapshotGoneError('The chain no longer has this snapshot.', {
          fix: 'The chain was restored to an earlier snapshot or has ended. Take a new snapshot.',
        })
      // Reverting deletes the snapshot, so a new one is taken.
      id = await take()
    },
  }
}

/** A local chain no longer has the snapshot. */
export class ChainSnapshotGoneError extends BaseError {
  override readonly name = 'ChainSnapshotGoneError'
}
