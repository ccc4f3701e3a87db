import { zeroAddress } from 'viem'
import { usdcToken } from '../../evm/usdcToken.ts'
import { roles, setRoute } from '../chains/anvil/deployCredits.ts'
import type { StartedChain } from './startEvmChains.ts'

/** Opens the bridge from each chain that was made now to all others, and gives it liquidity for what comes from them. */
export async function openRoutes(chains: readonly StartedChain[]): Promise<void> {
  await Promise.all(chains.filter(({ fresh }) => fresh).map((chain) => openRoutesFrom(chain, chains)))
}

async function openRoutesFrom(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  const { rpc, deployment } = chain
  const { bridgeAdapter } = deployment
  await chain.mintUsdc(roles.operator.account.address, treasure)
  await chain.mintUsdc(roles.bank.account.address, treasure)
  await chain.mintUsdc(bridgeAdapter, treasure)
  await rpc.setBalance(bridgeAdapter, 10n ** 24n)
  for (const other of chains) {
    if (other === chain) continue
    const { chainId } = other
    // One USDC there for one USDC here, and 1/3000 of a coin, the made-up price that gas fees use too.
    const token = usdcToken({ chainId }).address
    await setRoute(rpc, { bridgeAdapter, chainId, token, costPerUsdc: 1_000_000n })
    await setRoute(rpc, { bridgeAdapter, chainId, token: zeroAddress, costPerUsdc: 10n ** 18n / 3_000n })
  }
}

const treasure = 10n ** 18n
