import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** One EVM network of the service. */
export type EvmNetwork = {
  readonly blockchain: EvmBlockchain
  readonly environment: Environment
  readonly chainId: number
  /** For people. */
  readonly name: string
  /** Whether there is a Circle USDC with EIP-3009, so that customers can pay in USDC by signature. */
  readonly usdc: boolean
}

/** Chain ids of Tempo, whose accounts sign in ways of their own: mainnet and the Moderato test network. */
export const tempoChainIds = [4217, 42431] as const

/** All EVM networks of the service (PROTOCOL.md 9). */
export const networks: readonly EvmNetwork[] = [
  { blockchain: 'eth', environment: 'prod', chainId: 1, name: 'Ethereum', usdc: true },
  { blockchain: 'eth', environment: 'sandbox', chainId: 11155111, name: 'Sepolia', usdc: true },
  { blockchain: 'polygon', environment: 'prod', chainId: 137, name: 'Polygon', usdc: true },
  { blockchain: 'polygon', environment: 'sandbox', chainId: 80002, name: 'Polygon Amoy', usdc: true },
  { blockchain: 'base', environment: 'prod', chainId: 8453, name: 'Base', usdc: true },
  { blockchain: 'base', environment: 'sandbox', chainId: 84532, name: 'Base Sepolia', usdc: true },
  { blockchain: 'arbitrum', environment: 'prod', chainId: 42161, name: 'Arbitrum One', usdc: true },
  { blockchain: 'arbitrum', environment: 'sandbox', chainId: 421614, name: 'Arbitrum Sepolia', usdc: true },
  { blockchain: 'monad', environment: 'prod', chainId: 143, name: 'Monad', usdc: true },
  { blockchain: 'monad', environment: 'sandbox', chainId: 10143, name: 'Monad Testnet', usdc: true },
  { blockchain: 'tempo', environment: 'prod', chainId: tempoChainIds[0], name: 'Tempo', usdc: false },
  {
    blockchain: 'tempo',
    environment: 'sandbox',
    chainId: tempoChainIds[1],
    name: 'Tempo Testnet',
    usdc: false,
  },
]

/**
 * Finds a network by its chain id, or by the service's name for it.
 *
 * @throws {@link UnknownNetworkError} when the service does not know it
 * @example
 * ```ts
 * import { networkOf } from 'redeemkit/evm'
 * networkOf({ chainId: 8453 }).name // 'Base'
 * networkOf({ blockchain: 'base', environment: 'sandbox' }).chainId // 84532
 * ```
 */
export function networkOf(options: networkOf.Options): EvmNetwork {
  const found =
    'chainId' in options
      ? networks.find((network) => network.chainId === options.chainId)
      : networks.find(
          (network) =>
            network.blockchain === options.blockchain && network.environment === options.environment,
        )
  if (found !== undefined) return found
  throw 'chainId' in options
    ? new UnknownNetworkError(`Chain id ${showValue(options.chainId)} is none of the service's networks.`, {
        field: 'chainId',
        fix: `Use one of ${networks.map((network) => `${network.chainId} (${network.name})`).join(', ')}.`,
      })
    : new UnknownNetworkError(
        `There is no EVM network ${showValue(options.blockchain)} in ${showValue(options.environment)}.`,
        {
          field: 'blockchain',
          fix: 'Use eth, polygon, base, arbitrum, monad or tempo, in "sandbox" or "prod".',
        },
      )
}

export declare namespace networkOf {
  type Options = { chainId: number } | { blockchain: EvmBlockchain; environment: Environment }
  type ErrorType = UnknownNetworkError
}
