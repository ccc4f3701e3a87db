import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { StartedChain } from './startEvmChains.ts'

/**
 * The chain of that name; the first that was started, when none is named.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function findStarted(
  chains: readonly StartedChain[],
  blockchain: EvmBlockchain | undefined,
): StartedChain {
  const chain = blockchain === undefined ? chains[0] : chains.find((one) => one.blockchain === blockchain)
  if (chain !== undefined) return chain
  throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
    field: 'blockchain',
    fix: `Use one of ${chains.map((one) => one.blockchain).join(', ')}.`,
  })
}
