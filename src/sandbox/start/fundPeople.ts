import { giveCredits } from '../chains/anvil/deployCredits.ts'
import { devAccount } from '../devAccounts.ts'
import { type People, type Person, peopleNames } from '../runningSandbox.ts'
import type { StartedChain } from './startEvmChains.ts'

/** The credits and the USDC of each test account on each chain, in raw units: 1000 dollars. */
export const gift = 1_000_000_000n

/** The sandbox's test accounts, the same on every machine. */
export function sandboxPeople(): People {
  const person = (name: string): Person => {
    const account = devAccount(name)
    return { ...account, address: account.account.address }
  }
  return Object.fromEntries(peopleNames.map((name) => [name, person(name)])) as People // the same names
}

/** Gives the test accounts USDC and each merchant's credits on the new chains. */
export async function fundPeople(
  people: People,
  options: { chains: readonly StartedChain[]; creditSeeds: readonly string[] },
): Promise<void> {
  const { chains, creditSeeds } = options
  await Promise.all(
    chains
      .filter(({ fresh }) => fresh)
      .map(async ({ rpc, mintUsdc, deployment: { creditsContract } }) => {
        for (const { address: wallet } of Object.values(people)) {
          // The keys are public: on a fork, these accounts may have code (ERC-7702).
          await rpc.setCode(wallet, '0x')
          await mintUsdc(wallet, gift)
          for (const creditSeed of creditSeeds)
            await giveCredits(rpc, { creditsContract, creditSeed, wallet, amount: gift })
        }
      }),
  )
}
