import { zeroAddress } from 'viem'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { roles, setDailyLimit, setRoute, setSource } from '../chains/anvil/deployCredits.ts'
import type { StartedChain } from './startEvmChains.ts'

/** Opens the bridge from each chain that was made now to all others, and gives it liquidity for what comes from them. */
export async function openRoutes(chains: readonly StartedChain[]): Promise<void> {
  await Promise.all(chains.filter(({ fresh }) => fresh).map((chain) => openRoutesFrom(chain, chains)))
  for (const chain of chains) await trustAdapters(chain, chains)
}

/** Lets the adapter of a chain execute what the others ask for. A kept chain learns of one that was made now. */
async function trustAdapters(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  const { rpc, deployment } = chain
  for (const other of chains) {
    if (other === chain || !(chain.fresh || other.fresh)) continue
    const source = other.deployment.bridgeAdapter
    await setSource(rpc, { bridgeAdapter: deployment.bridgeAdapter, chainId: other.chainId, source })
  }
}

async function openRoutesFrom(chain: StartedChain, chains: readonly StartedChain[]): Promise<void> {
  const { rpc, deployment } = chain
  const { bridgeAdapter } = deployment
  await chain.mintUsdc(roles.operator.account.address, treasure)
  await chain.mintUsdc(roles.bank.account.address, treasure)
  await chain.mintUsdc(bridgeAdapter, treasure)
  await rpc.setBalance(bridgeAdapter, coins)
  const usdc = usdcToken({ chainId: chain.chainId }).address
  await setDailyLimit(rpc, { bridgeAdapter, token: usdc, amount: treasure })
  await setDailyLimit(rpc, { bridgeAdapter, token: zeroAddress, amount: coins })
  for (const other of chains) {
    if (other === chain) continue
    const { chainId } = other
    // One USDC there for one USDC here, and 1/3000 of a coin, the made-up price that gas fees use too.
    const token = usdcToken({ chainId }).address
    await setRoute(rpc, { bridgeAdapter, chainId, token, costPerUsdc: 1_000_000n })
    await setRoute(rpc, { bridgeAdapter, chainId, token: zeroAddress, costPerUsdc: 10n ** 18n / 3_000n })
  }
}

/** Raw units of USDC, and wei of the chain's coin, that the adapter holds and may deliver in a day. */
const treasure = 10n ** 18n
const coins = 10n ** 24n
