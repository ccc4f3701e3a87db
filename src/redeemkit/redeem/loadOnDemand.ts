import { loadModule } from '../core/loadModule.ts'
import { ChainReadError } from '../evm/client.ts'

const load = /* @__PURE__ */ loadModule(() => import('./onDemand.ts'))

/**
 * Loads the code of the dry run and of random nonces.
 *
 * @throws {@link ChainReadError} if it cannot be loaded
 */
export async function loadOnDemand(): Promise<typeof import('./onDemand.ts')> {
  try {
    return await load()
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
