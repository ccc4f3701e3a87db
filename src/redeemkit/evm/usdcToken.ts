import type { Address, Hex } from 'viem'
import { usdcDecimals } from '../core/amount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import type { InvalidRecordError, UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { evmNetworks } from '../core/evmNetworks.ts'
import { isTempoChain, networkOf } from './networks.ts'
import { checkChainId, checkRecord, type InvalidChainIdError } from './values.ts'
import { domainSeparator } from './viem.ts'

/** EIP-712 version of USDC on every chain. */
export const usdcVersion = '2'

/** Circle's USDC on one network, with its EIP-712 domain. */
export type UsdcToken = {
  readonly chainId: number
  readonly address: Address
  /** The EIP-712 name. It differs between chains, and from the name in token lists. */
  readonly name: string
  readonly version: typeof usdcVersion
  readonly decimals: typeof usdcDecimals
  readonly domainSeparator: Hex
}

/**
 * Returns the address, EIP-712 name and version, and domain separator of Circle's USDC on a network, from a built-in table.
 *
 * @throws {@link NoUsdcAuthorizationError} on Tempo, whose stablecoins have no EIP-3009; UnknownNetworkError for a chain
 * that the service does not support
 * @example
 * ```ts
 * import { usdcToken } from 'redeemkit/evm'
 * usdcToken({ chainId: 84532 }).name // 'USDC'
 * ```
 */
export function usdcToken(options: usdcToken.Options): UsdcToken {
  checkRecord(options, 'options')
  const chainId = checkChainId(options.chainId, 'chainId')
  checkUsdcAuthorizations(chainId)
  const pinned = pinnedUsdc(chainId)
  const domain = { name: pinned.name, version: usdcVersion, chainId, verifyingContract: pinned.address }
  return {
    chainId,
    ...pinned,
    version: usdcVersion,
    decimals: usdcDecimals,
    domainSeparator: domainSeparator({ domain }),
  }
}

export declare namespace usdcToken {
  type Options = { chainId: number }
  type ErrorType = InvalidRecordError | InvalidChainIdError | NoUsdcAuthorizationError | UnknownNetworkError
}

/** Throws for a chain on which customers cannot pay in USDC with a signature. */
export function checkUsdcAuthorizations(chainId: number): void {
  if (isTempoChain(chainId))
    throw new NoUsdcAuthorizationError(
      `Tempo (chain ${chainId}) has no Circle USDC and no token with EIP-3009.`,
      { field: 'chainId', fix: 'On Tempo, pay with credits only.', source: 'EIP-3009' },
    )
}

export function pinnedUsdc(chainId: number): { address: Address; name: string } {
  const { name: network } = networkOf({ chainId })
  const usdc = evmNetworks.find((network) => network.chainId === chainId)?.usdc
  if (usdc === undefined)
    throw new NoUsdcAuthorizationError(`redeemkit does not know a USDC contract on ${network}.`, {
      field: 'chainId',
    })
  return usdc
}

/** A test token that replaces the chain's pinned USDC. The token must support EIP-3009, so it cannot be a Tempo token. */
export type UsdcTokenOverride = {
  address: Address
  /** EIP-712 name. */
  name: string
  /** EIP-712 version. Default `2`. */
  version?: string | undefined
}

/** Customers cannot pay in USDC with a signature on this chain. */
export class NoUsdcAuthorizationError extends BaseError {
  override readonly name = 'NoUsdcAuthorizationError'
}
