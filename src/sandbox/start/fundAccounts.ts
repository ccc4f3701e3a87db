import { giveCredits } from '../chains/anvil/deployCredits.ts'
import { devAccount } from '../devAccounts.ts'
import { type TestAccount, type TestAccounts, testAccountNames } from '../runningSandbox.ts'
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
  options: { chains: readonly StartedChain[]; creditSeeds: readonly string[] },
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
