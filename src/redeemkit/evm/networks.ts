import type { Address } from 'viem'
import type { Environment, EvmBlockchain } from '../core/blockchains.ts'
import { type InvalidRecordError, UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { checkRecord } from './values.ts'

/** One EVM network of the service. */
export type EvmNetwork = {
  readonly blockchain: EvmBlockchain
  readonly environment: Environment
  readonly chainId: number
  /** Display name. */
  readonly name: string
  /** Whether there is a Circle USDC with EIP-3009, so that customers can pay in USDC by signature. */
  readonly usdc: boolean
}

/** Chain ids of Tempo, whose accounts sign in ways of their own: mainnet and the Moderato test network. */
export const tempoChainIds = [4217, 42431] as const

/**
 * The one table of EVM networks (PROTOCOL.md 9.1, 9.2): chain, environment, chain id, display name and, where there is
 * one, the EIP-712 name and the address of Circle's USDC. The EIP-712 name is not what token lists say.
 */
export const networkRows: readonly (readonly [
  blockchain: EvmBlockchain,
  environment: Environment,
  chainId: number,
  name: string,
  usdcName?: string,
  usdcAddress?: Address,
])[] = [
  ['eth', 'prod', 1, 'Ethereum', 'USD Coin', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
  ['eth', 'sandbox', 11155111, 'Sepolia', 'USDC', '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'],
  ['polygon', 'prod', 137, 'Polygon', 'USD Coin', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  ['polygon', 'sandbox', 80002, 'Polygon Amoy', 'USDC', '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'],
  ['base', 'prod', 8453, 'Base', 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  ['base', 'sandbox', 84532, 'Base Sepolia', 'USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  ['arbitrum', 'prod', 42161, 'Arbitrum One', 'USD Coin', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  [
    'arbitrum',
    'sandbox',
    421614,
    'Arbitrum Sepolia',
    'USD Coin',
    '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
  ],
  ['monad', 'prod', 143, 'Monad', 'USDC', '0x754704Bc059F8C67012fEd69BC8A327a5aafb603'],
  ['monad', 'sandbox', 10143, 'Monad Testnet', 'USDC', '0x534b2f3A21130d7a60830c2Df862319e593943A3'],
  ['tempo', 'prod', tempoChainIds[0], 'Tempo'],
  ['tempo', 'sandbox', tempoChainIds[1], 'Tempo Testnet'],
]

/** All EVM networks of the service (PROTOCOL.md 9). */
export const networks: readonly EvmNetwork[] = /* @__PURE__ */ networkRows.map(
  ([blockchain, environment, chainId, name, usdcName]) => ({
    blockchain,
    environment,
    chainId,
    name,
    usdc: usdcName !== undefined,
  }),
)

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
  checkRecord(options, 'options')
  const found =
    'chainId' in options
      ? networks.find((network) => network.chainId === options.chainId)
      : networks.find(
          (network) =>
            network.blockchain === options.blockchain && network.environment === options.environment,
        )
  if (found !== undefined) return found
  throw 'chainId' in options
    ? new UnknownNetworkError(
        `Chain id ${showValue(options.chainId)} is not one of the service's networks.`,
        {
          field: 'chainId',
          fix: `Use one of ${networks.map((network) => `${network.chainId} (${network.name})`).join(', ')}.`,
        },
      )
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
  type ErrorType = UnknownNetworkError | InvalidRecordError
}

type TempoChainId = (typeof tempoChainIds)[number]

/**
 * Whether a chain is Tempo, where a permit may be signed with P-256, WebAuthn and access keys, fees are paid in TIP-20
 * tokens, and no token has EIP-3009.
 *
 * @example
 * ```ts
 * import { isTempoChain } from 'redeemkit/tempo'
 * isTempoChain(42431) // true
 * ```
 */
export function isTempoChain(chainId: number): chainId is TempoChainId {
  // compared as plain numbers
  return (tempoChainIds as readonly number[]).includes(chainId)
}
