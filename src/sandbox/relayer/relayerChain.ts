import type { Chain, PublicClient, Transport } from 'viem'

/** What the relayer needs of any chain that it sends to. */
export type RelayerChain = {
  chainId: number
  client: PublicClient<Transport, Chain>
  /** Most that is paid on top of the base fee, wei per gas. Default: what the chain's other transactions pay. */
  maxPriorityFeePerGas?: bigint | undefined
  /** Most that is paid in all, wei per gas: what the base fee rises above waits until it falls. Default: no bound. */
  maxFeePerGas?: bigint | undefined
}
