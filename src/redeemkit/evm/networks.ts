import { type Environment, type EvmBlockchain, evmBlockchains } from '../core/blockchains.ts'
import { type InvalidRecordError, UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { evmNetworks, tempoChainIds } from '../core/evmNetworks.ts'
import { checkRecord } from './checkRecord.ts'

/** One EVM network of the service. */
export type EvmNetwork = {
  readonly blockchain: EvmBlockchain
  readonly environment: Environment
  readonly chainId: number
  /** Display name. */
  readonly name: string
  /** Symbol of the native coin, such as `ETH`. Absent on Tempo, whose fees are paid in tokens. */
  readonly coin: string | undefined
  /** Whether the network has Circle's USDC with EIP-3009, so that customers can pay in USDC with a signature. */
  readonly usdc: boolean
}

/** All EVM networks of the service (PROTOCOL.md 9). */
export const networks: readonly EvmNetwork[] = /* @__PURE__ */ evmNetworks.map(
  ({ blockchain, environment, chainId, name, coin, usdc }) => ({
    blockchain,
    environment,
    chainId,
    name,
    coin,
    usdc: usdc !== undefined,
  }),
)

/**
 * Finds a network by its chain id, or by the service's name for it.
 *
 * @throws {@link UnknownNetworkError} for a network that the service does not support
 * @example
 * ```ts
 * import { networkOf } from 'redeemkit/evm'
 * networkOf({ chainId: 8453 }).name // 'Base'
 * networkOf({ blockchain: 'base', environment: 'sandbox' }).chainId // 84532
 * ```
 */
export function networkOf(options: networkOf.Options): EvmNetwork {
  checkRecord(options, 'options')
  const found = networks.find(({ chainId, blockchain, environment }) =>
    'chainId' in options
      ? chainId === options.chainId
      : blockchain === options.blockchain && environment === options.environment,
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
        { field: 'blockchain', fix: `Use one of ${evmBlockchains.join(', ')}, in "sandbox" or "prod".` },
      )
}

export declare namespace networkOf {
  type Options = { chainId: number } | { blockchain: EvmBlockchain; environment: Environment }
  type ErrorType = UnknownNetworkError | InvalidRecordError
}

type TempoChainId = (typeof tempoChainIds)[number]

/**
 * Returns whether a chain is Tempo. On Tempo, wallets may sign with P-256, WebAuthn and access keys, fees are paid in TIP-20
 * tokens, and no token has EIP-3009.
 *
 * @example
 * ```ts
 * import { isTempoChain } from 'redeemkit/tempo'
 * isTempoChain(42431) // true
 * ```
 */
export function isTempoChain(chainId: number): chainId is TempoChainId {
  // the type of the constant list would not accept other numbers
  return (tempoChainIds as readonly number[]).includes(chainId)
}
