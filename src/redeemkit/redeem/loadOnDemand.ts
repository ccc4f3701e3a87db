import { ChainReadError } from '../evm/client.ts'

/**
 * Loads the code that most redeems never need: revert decoding, the dry run, the look-up for random nonces, and the
 * wallet factories.
 *
 * @throws {@link ChainReadError} if it cannot be loaded
 */
export async function loadOnDemand(): Promise<typeof import('./onDemand.ts')> {
  try {
    return await import('./onDemand.ts')
  } catch (cause) {
    throw new ChainReadError('A module of redeemkit could not be loaded.', {
      field: 'publicClient',
      fix: 'Retry when the network is back. If a new version of the page was deployed, reload it.',
      cause,
    })
  }
}

export declare namespace loadOnDemand {
  type ErrorType = ChainReadError
}
