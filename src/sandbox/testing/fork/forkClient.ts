import {
  type Chain,
  type Client,
  createTestClient,
  custom,
  defineChain,
  type PublicActions,
  publicActions,
  type TestActions,
  type Transport,
  type WalletActions,
  walletActions,
} from 'viem'
import { nodeRequest, type Pipe } from '../../chains/anvil/connectPipe.ts'
import { multicall3 } from '../../chains/anvil/prepareUsdc.ts'

/** A viem client for a local chain, with public, wallet and test actions. */
export type ForkClient = Client<
  Transport,
  Chain,
  undefined,
  undefined,
  TestActions & PublicActions<Transport, Chain> & WalletActions<Chain>
>

/** Does not use HTTP, and polls fast. */
export function createForkClient(
  node: Pick<Pipe, 'ask'>,
  { chainId, rpcUrl, name }: { chainId: number; rpcUrl: string; name: string },
): ForkClient {
  const chain: Chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: multicall3 } },
  })
  const transport: Transport = custom(
    { request: nodeRequest(node) },
    { key: 'fork', name: 'Fork', retryCount: 0 },
  )
  return createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}
