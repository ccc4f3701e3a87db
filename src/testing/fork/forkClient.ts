import { createTestClient, custom, defineChain, publicActions, walletActions } from 'viem'
import type { Pipe } from '../../sandbox/chains/anvil/connectPipe.ts'
import { nodeRequest } from '../../sandbox/chains/anvil/nodeTransport.ts'

/** viem's public, wallet and test actions over a local chain. */
export type ForkClient = ReturnType<typeof createForkClient>

/** A client of a local chain: without HTTP between, and quick to look for a receipt. */
export function createForkClient(
  node: Pick<Pipe, 'ask'>,
  { chainId, rpcUrl, name }: { chainId: number; rpcUrl: string; name: string },
) {
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  })
  return createTestClient({
    mode: 'anvil',
    chain,
    transport: custom({ request: nodeRequest(node) }, { key: 'fork', name: 'Fork', retryCount: 0 }),
    pollingInterval: 10,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
}
