import { createPublicClient, defineChain, type Hex, type Transport } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { InvalidAddressError } from '../../redeemkit/core/errors/inputErrors.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import { batchingTransport } from './batchingTransport.ts'
import type { Destination, EvmChain } from './evmChain.ts'

/** An EVM chain from its options: addresses checked, accounts from their keys, a client that has asked nothing yet. */
export function connectEvmChain(options: connectEvmChain.Options, environment: Environment): EvmChain {
  const network = networkOf({ blockchain: options.blockchain, environment })
  const { chainId = network.chainId, nativePriceCents = defaultPriceCents } = options
  return {
    blockchain: options.blockchain,
    environment,
    chainId,
    client: clientOf(chainId, options),
    creditsContract: checkAddress(options.creditsContract, 'chains.creditsContract'),
    paymentSettlement:
      options.paymentSettlement === undefined
        ? undefined
        : checkAddress(options.paymentSettlement, 'chains.paymentSettlement'),
    usdc: network.usdc ? usdcToken({ chainId }).address : undefined,
    operator: privateKeyToAccount(options.operatorKey),
    relayers: [options.operatorKey, ...(options.relayerKeys ?? [])].map((key) => privateKeyToAccount(key)),
    whitelister:
      options.whitelisterKey === undefined ? undefined : privateKeyToAccount(options.whitelisterKey),
    walletFactories: new Set(
      (options.walletFactories ?? []).map((factory) => checkAddress(factory, 'walletFactories')),
    ),
    nativePriceCents: typeof nativePriceCents === 'function' ? nativePriceCents : () => nativePriceCents,
    maxPriorityFeePerGas: options.maxPriorityFeePerGas,
    maxFeePerGas: options.maxFeePerGas,
    confirmations: options.confirmations ?? (isOnThisMachine(options.rpcUrl) ? 0 : defaultConfirmations),
    destinations: new Map(
      (options.destinations ?? []).map((destination) => [
        destination.chainId,
        connectDestination(destination),
      ]),
    ),
  }
}

export declare namespace connectEvmChain {
  type Options = Node & {
    blockchain: EvmBlockchain
    /** Default: the network's own of this environment. */
    chainId?: number | undefined
    creditsContract: Hex
    /** The contract that settles payments (PROTOCOL.md 10.2). Default: payments that need the chain fail here. */
    paymentSettlement?: Hex | undefined
    /** Private key of the account with the operator and minter roles; it pays for gas, and its USDC becomes credits. */
    operatorKey: Hex
    /**
     * Private keys of more accounts with the operator role, and coin for gas: redeems are sent by whichever is free. Default:
     * the operator alone.
     */
    relayerKeys?: readonly Hex[] | undefined
    /** Private key of the account with the whitelist role. Default: whitelist requests cannot be approved here. */
    whitelisterKey?: Hex | undefined
    /** ERC-6492: factories that customers' wallets may be deployed through. Default none. */
    walletFactories?: readonly Hex[] | undefined
    /** Price of one whole native coin in US cents: a made-up, fixed one by default (3000 dollars). */
    nativePriceCents?: bigint | (() => bigint | Promise<bigint>) | undefined
    /** Most that the relayer pays on top of the base fee, wei per gas. Default: what the chain's other transactions pay. */
    maxPriorityFeePerGas?: bigint | undefined
    /**
     * Most that the relayer pays in all, wei per gas. While the base fee is above it, what is sent waits. Default: no bound;
     * what got stuck is sent with as much as it takes.
     */
    maxFeePerGas?: bigint | undefined
    /**
     * Blocks on top of a block before what is in it counts as final: `redeem.redeemed` is sent then, and an order becomes
     * payable again. Pass at least as many as the chain may replace. Default: 12; 0 for a node on this machine, which may mine no
     * block without a transaction.
     */
    confirmations?: number | undefined
    /** Where decent redeems are executed. */
    destinations?: readonly DestinationOptions[] | undefined
    /** The contract was deployed just now: what the database knows of this blockchain is from an earlier chain. */
    fresh?: boolean | undefined
  }
  type DestinationOptions = Node & {
    chainId: number
    bridgeAdapter: Hex
    /** Private key of the account with the adapter's relayer role. */
    operatorKey: Hex
  }
  type Node = {
    rpcUrl: string
    /** A shorter way to the same node than HTTP, as a viem transport. Default: HTTP at `rpcUrl`. */
    transport?: Transport | undefined
  }
  type ErrorType = networkOf.ErrorType | usdcToken.ErrorType | InvalidAddressError
}

const defaultPriceCents = 300_000n
const defaultConfirmations = 12

function isOnThisMachine(rpcUrl: string): boolean {
  const { hostname } = new URL(rpcUrl)
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

function connectDestination(options: connectEvmChain.DestinationOptions): Destination {
  return {
    chainId: options.chainId,
    client: clientOf(options.chainId, options),
    bridgeAdapter: checkAddress(options.bridgeAdapter, 'destinations.bridgeAdapter'),
    operator: privateKeyToAccount(options.operatorKey),
  }
}

function clientOf(chainId: number, { rpcUrl, transport }: connectEvmChain.Node) {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createPublicClient({
    chain,
    transport: transport ?? batchingTransport(rpcUrl),
    pollingInterval: 100,
  })
}
