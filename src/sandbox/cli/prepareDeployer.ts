import { createPublicClient, http } from 'viem'
import { devAccount } from '../devAccounts.ts'
import type { RunningSandbox } from '../runningSandbox.ts'
import type { ServiceKind } from '../serviceKind.ts'

/** Who deploys a person's own contracts at the terminal: the same account on every machine. Its key is public. */
export const deployer = devAccount('deployer')

/** Gives the deployer coins for gas, on each EVM chain of a sandbox where it has few: customers have none. */
export async function prepareDeployer(running: RunningSandbox<ServiceKind>): Promise<void> {
  const { address } = deployer.account
  await Promise.all(
    Object.values(running.chains).map(async ({ blockchain, rpcUrl }) => {
      const balance = await createPublicClient({ transport: http(rpcUrl) }).getBalance({ address })
      if (balance < wanted / 2n) await running.fund({ wallet: address, coin: wanted - balance, blockchain })
    }),
  )
}

const wanted = 10_000n * 10n ** 18n
