import { centsToAmount } from '../../redeemkit/core/amount.ts'
import type { EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { giveCredits } from '../chains/anvil/deployCredits.ts'
import { devAccount } from '../devAccounts.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import {
  type CreditsGift,
  type Funds,
  type Gift,
  type TestAccount,
  type TestAccounts,
  testAccountNames,
} from '../runningSandbox.ts'
import type { StartedChain } from './startEvmChains.ts'

/** Credits that each test account gets on each chain, and the same amount of USDC, in raw units: 1000 dollars. */
export const gift = 1_000_000_000n

export function sandboxAccounts(): TestAccounts {
  const person = (name: string): TestAccount => {
    const account = devAccount(name)
    return { ...account, address: account.account.address }
  }
  return Object.fromEntries(testAccountNames.map((name) => [name, person(name)])) as TestAccounts // the object has the same names
}

export async function fundAccounts(
  accounts: TestAccounts,
  options: {
    chains: readonly Pick<StartedChain, 'rpc' | 'mintUsdc' | 'deployment' | 'fresh'>[]
    creditSeeds: readonly string[]
  },
): Promise<void> {
  const { chains, creditSeeds } = options
  await Promise.all(
    chains
      .filter(({ fresh }) => fresh)
      .map(async ({ rpc, mintUsdc, deployment: { creditsContract } }) => {
        for (const { address: wallet } of Object.values(accounts)) {
          // The private keys are public, so on a forked chain these accounts may have delegated to code (EIP-7702).
          await rpc.setCode(wallet, '0x')
          await mintUsdc(wallet, gift)
          for (const creditSeed of creditSeeds)
            await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: gift })
        }
      }),
  )
}

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
