import { ChainReadError } from '../evm/client.ts'

/**
 * Loads what most redeems never need: how a revert is read, a dry run, and the look-up where nonces commit to nothing.
 *
 * @throws {@link ChainReadError} when it cannot be loaded: what is on the chain stays unread then, and may be read later
 */
export async function loadOnDemand(): Promise<typeof import('./onDemand.ts')> {
  try {
    return await import('./onDemand.ts')
  } catch (cause) {
    throw new ChainReadError('The part of redeemkit that reads more of the chain could not be loaded.', {
      field: 'publicClient',
      fix: 'Try again when the network is back. If the page was deployed anew meanwhile, load it again.',
      cause,
    })
  }
}

export declare namespace loadOnDemand {
  type ErrorType = ChainReadError
}
