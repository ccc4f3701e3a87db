import type { Chain, Hex, PrivateKeyAccount, PublicClient, Transport } from 'viem'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'

export type EvmChain = {
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  client: PublicClient<Transport, Chain>
  creditsContract: Hex
  /** The contract that settles payments; without it, payments that settle on this chain fail. */
  paymentSettlement: Hex | undefined
  /** The chain's USDC; undefined on Tempo, where no USDC supports authorizations. */
  usdc: Hex | undefined
  /** Operator of the credits contract: sends redeems, charges gas and mints. */
  operator: PrivateKeyAccount
  /** The accounts that send redeems: the operator and further accounts with its role. Each has its own nonce queue. */
  relayers: readonly PrivateKeyAccount[]
  /** The account that updates the whitelist when a merchant's request is approved. Without it, requests cannot be approved. */
  whitelister: PrivateKeyAccount | undefined
  /** Factories that may deploy a customer's wallet (ERC-6492). */
  walletFactories: Set<Hex>
  /** Price of one whole native coin in US cents. */
  nativePriceCents: () => Promise<bigint> | bigint
  /** Maximum priority fee of the relayer, in wei per gas. */
  maxPriorityFeePerGas: bigint | undefined
  /** Maximum total fee of the relayer, in wei per gas. */
  maxFeePerGas: bigint | undefined
  /** Number of confirmations until a block counts as final. */
  confirmations: number
  destinations: ReadonlyMap<number, Destination>
}

export type Destination = {
  chainId: number
  client: PublicClient<Transport, Chain>
  bridgeAdapter: Hex
  operator: PrivateKeyAccount
}
