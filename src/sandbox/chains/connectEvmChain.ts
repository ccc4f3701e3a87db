import { createPublicClient, defineChain, type Hex, http, TimeoutError, type Transport } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Environment, EvmBlockchain } from '../../redeemkit/core/blockchains.ts'
import type { InvalidAddressError } from '../../redeemkit/core/errors/inputErrors.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { networkOf } from '../../redeemkit/evm/networks.ts'
import { walletFactories } from '../../redeemkit/evm/signature/walletFactories.ts'
import { usdcToken } from '../../redeemkit/evm/usdcToken.ts'
import type { Destination, EvmChain } from './evmChain.ts'

/** Creates an EVM chain from its options, after checking the addresses. Sends no request. */
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
      [...walletFactories, ...(options.walletFactories ?? [])].map((factory) =>
        checkAddress(factory, 'walletFactories'),
      ),
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
    /** Chain id. Default: the network's chain id in this environment. */
    chainId?: number | undefined
    creditsContract: Hex
    /** The contract that settles payments (PROTOCOL.md 10.2). Without it, payments that settle on this chain fail. */
    paymentSettlement?: Hex | undefined
    /** Private key of the account with the operator and minter roles. The account pays for gas and backs credits with its USDC. */
    operatorKey: Hex
    /**
     * Private keys of further accounts with the operator role and native coin for gas. An idle account sends the next redeem. Default: only
     * the operator.
     */
    relayerKeys?: readonly Hex[] | undefined
    /** Private key of the account with the whitelist role. Without it, whitelist requests cannot be approved. */
    whitelisterKey?: Hex | undefined
    /** Factories that may deploy customers' wallets (ERC-6492), in addition to those of popular smart accounts. */
    walletFactories?: readonly Hex[] | undefined
    /** Price of one whole native coin in US cents. Default: `defaultPriceCents`. */
    nativePriceCents?: bigint | (() => bigint | Promise<bigint>) | undefined
    /** The relayer's maximum priority fee, in wei per gas. Default: the priority fee of recent transactions. */
    maxPriorityFeePerGas?: bigint | undefined
    /**
     * The relayer's maximum total fee, in wei per gas. Transactions wait while the base fee is higher. Default: no limit;
     * the relayer replaces stuck transactions with higher fees as needed.
     */
    maxFeePerGas?: bigint | undefined
    /**
     * Number of confirmations after which a block counts as final. Then the service sends `redeem.redeemed`, makes an order
     * payable again, and completes a mint, burn, payment or withdrawal. Pass at least the depth of possible reorgs.
     * Default: 12, or 0 for a node on this machine, which may mine blocks only for transactions.
     */
    confirmations?: number | undefined
    destinations?: readonly DestinationOptions[] | undefined
    /** Whether the contract was just deployed, so that the database's records of this blockchain belong to an earlier chain. */
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
    /** A viem transport to the node at `rpcUrl`. Default: HTTP. */
    transport?: Transport | undefined
  }
  type ErrorType = networkOf.ErrorType | usdcToken.ErrorType | InvalidAddressError
}

/** Placeholder price of one whole native coin, in US cents. */
export const defaultPriceCents = 300_000n
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
    transport: transport ?? httpOnTime(rpcUrl),
    pollingInterval: 100,
  })
}

/** Applies one timeout to a request and its retries. viem's own timeout applies to each attempt. */
function httpOnTime(rpcUrl: string): Transport {
  return (parameters) => {
    const opened = http(rpcUrl, { retryCount: 1, timeout: 2 * requestMs })(parameters)
    const request = async (body: { method: string; params?: unknown }, options?: object) => {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new TimeoutError({ body, url: rpcUrl })), requestMs)
      const { signal } = deadline
      return opened.request(body, { ...options, signal }).finally(() => clearTimeout(timer))
    }
    // viem infers the type of a response from the method.
    return { ...opened, request: request as typeof opened.request }
  }
}

/** Without a limit, a node that hangs would hang the service. */
export const requestMs = 10_000
