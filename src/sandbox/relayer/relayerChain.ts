import type { Chain, PublicClient, Transport } from 'viem'

/** What the relayer needs of any chain that it sends to. */
export type RelayerChain = {
  chainId: number
  client: PublicClient<Transport, Chain>
}
