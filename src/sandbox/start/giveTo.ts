import { centsToAmount } from '../../redeemkit/core/amount.ts'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { giveCredits } from '../chains/anvil/deployCredits.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { CreditsGift, Funds, Gift } from '../runningSandbox.ts'
import type { StartedChain } from './startEvmChains.ts'

export function giveTo(
  chains: readonly StartedChain[],
  options: { creditSeed: string },
): {
  mintCredits: (gift: CreditsGift) => Promise<void>
  mintUsdc: (gift: Gift) => Promise<void>
  fund: (funds: Funds) => Promise<void>
} {
  return {
    mintCredits: async ({ wallet, cents, blockchain, creditSeed = options.creditSeed }) => {
      const { rpc, deployment } = findStarted(chains, blockchain)
      const { creditsContract } = deployment
      await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: centsToAmount(cents) })
    },
    mintUsdc: async ({ wallet, cents, blockchain }) =>
      findStarted(chains, blockchain).mintUsdc(wallet, centsToAmount(cents)),
    fund: async (given) => {
      checkOptions(given, {
        wallet: 'string',
        usdcCents: 'any',
        creditsCents: 'any',
        coin: 'any',
        blockchain: 'string?',
        creditSeed: 'string?',
      })
      const { usdcCents, creditsCents, coin, blockchain, creditSeed = options.creditSeed } = given
      const { rpc, mintUsdc, deployment } = findStarted(chains, blockchain)
      const wallet = checkAddress(given.wallet, 'wallet')
      // Checks all amounts before it gives any of them.
      const [usdc, credits] = [
        usdcCents === undefined ? 0n : centsToAmount(usdcCents, { field: 'usdcCents' }),
        creditsCents === undefined ? 0n : centsToAmount(creditsCents, { field: 'creditsCents' }),
      ]
      if (coin !== undefined && (typeof coin !== 'bigint' || coin < 0n))
        throw new InvalidSandboxOptionsError(`coin is ${showValue(coin)}.`, {
          field: 'coin',
          fix: 'Pass wei as a non-negative bigint, such as 10n ** 18n for one whole coin.',
        })
      if (usdcCents === undefined && creditsCents === undefined && coin === undefined)
        throw new InvalidSandboxOptionsError('No amount is set.', {
          field: 'usdcCents',
          fix: 'Pass usdcCents, creditsCents, coin or several of them.',
        })
      if (usdc > 0n) await mintUsdc(wallet, usdc)
      const { creditsContract } = deployment
      if (credits > 0n) await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: credits })
      if (coin !== undefined && coin > 0n)
        await rpc.setBalance(wallet, (await rpc.client.getBalance({ address: wallet })) + coin)
    },
  }
}

/** Default: the first chain. */
export function findStarted<chain extends { blockchain: EvmBlockchain }>(
  chains: readonly chain[],
  blockchain: EvmBlockchain | undefined,
): chain {
  const chain = blockchain === undefined ? chains[0] : chains.find((one) => one.blockchain === blockchain)
  if (chain !== undefined) return chain
  throw new InvalidSandboxOptionsError(`This sandbox has no ${blockchain ?? 'EVM'} chain.`, {
    field: 'blockchain',
    fix: `Use one of ${chains.map((one) => one.blockchain).join(', ')}.`,
  })
}
