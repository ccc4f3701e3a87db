import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import type { EvmBlockchain } from '../../core/blockchains.ts'
import { giveCredits } from '../chains/anvil/deployCredits.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { CreditsGift, Gift } from '../runningSandbox.ts'
import type { StartedChain } from './startEvmChains.ts'

/** `mintCredits` and `mintUsdc` of a running sandbox. */
export function giveTo(
  chains: readonly StartedChain[],
  options: { creditSeed: string },
): { mintCredits: (gift: CreditsGift) => Promise<void>; mintUsdc: (gift: Gift) => Promise<void> } {
  const find = (blockchain: EvmBlockchain | undefined): StartedChain => {
    const chain = blockchain === undefined ? chains[0] : chains.find((one) => one.blockchain === blockchain)
    if (chain !== undefined) return chain
    throw new InvalidSandboxOptionsError('There is no such chain in this sandbox.', {
      field: 'blockchain',
      fix: `Use one of ${chains.map((one) => one.blockchain).join(', ')}.`,
    })
  }
  return {
    mintCredits: async ({ wallet, cents, blockchain, creditSeed = options.creditSeed }) => {
      const { rpc, deployment } = find(blockchain)
      const { creditsContract } = deployment
      await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: centsToAmount(cents) })
    },
    mintUsdc: async ({ wallet, cents, blockchain }) =>
      find(blockchain).mintUsdc(wallet, centsToAmount(cents)),
  }
}
