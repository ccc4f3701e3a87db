import type { Chain, PublicClient, Transport } from 'viem'

/** What the relayer needs of any chain that it sends to. */
export type RelayerChain = {
  chainId: number
  client: PublicClient<Transport, Chain>
  /** Most that is paid on top of the base fee, wei per gas. Default: what the chain's other transactions pay. */
  maxPriorityFeePerGas?: bigint | undefined
}
