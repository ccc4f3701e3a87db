import type { Chain, Hex, PrivateKeyAccount, PublicClient, Transport } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'

/** One EVM chain as the service works with it. */
export type EvmChain = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  client: PublicClient<Transport, Chain>
  creditsContract: Hex
  /** Settles payments; without it those that need the chain fail. */
  paymentSettlement: Hex | undefined
  /** USDC of the chain; undefined where there is none that takes authorizations (Tempo). */
  usdc: Hex | undefined
  /** Operator of the credits contract: sends redeems, charges gas, mints. */
  operator: PrivateKeyAccount
  /** Who sends redeems: the operator, and others with its role. Each has a lane of its own. */
  relayers: readonly PrivateKeyAccount[]
  /** Sets the whitelist when a merchant's request is approved; without it nothing can be approved here. */
  whitelister: PrivateKeyAccount | undefined
  /** Factories that may deploy a customer's wallet (ERC-6492). */
  walletFactories: Set<Hex>
  /** Price of one whole native coin in US cents. */
  nativePriceCents: () => Promise<bigint> | bigint
  /** Most that the relayer pays on top of the base fee, wei per gas. */
  maxPriorityFeePerGas: bigint | undefined
  /** Most that it pays in all, wei per gas. */
  maxFeePerGas: bigint | undefined
  /** Blocks on top of a block before what is in it counts as final. */
  confirmations: number
  /** Where decent redeems are executed, by chain id. */
  destinations: ReadonlyMap<number, Destination>
}

/** The other end of the bridge adapter. */
export type Destination = {
  chainId: number
  client: PublicClient<Transport, Chain>
  bridgeAdapter: Hex
  /** Relayer of the adapter there. */
  operator: PrivateKeyAccount
}
