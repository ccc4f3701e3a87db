import type { Address, Hex } from 'viem'
import { BaseError } from '../core/errors/baseError.ts'
import type { UnknownNetworkError } from '../core/errors/inputErrors.ts'
import { isTempoChain } from './isTempoChain.ts'
import { networkOf } from './networks.ts'
import { checkChainId, type InvalidChainIdError } from './values/checkChainId.ts'

/** Circle's USDC on one network, with its EIP-712 domain. */
export type UsdcToken = {
  readonly chainId: number
  readonly address: Address
  /** The EIP-712 name, which differs from chain to chain and is not what token lists say. */
  readonly name: string
  readonly version: '2'
  readonly decimals: 6
  readonly domainSeparator: Hex
}

const rows: Readonly<Record<number, readonly [name: string, address: Address, domainSeparator: Hex]>> = {
  1: [
    'USD Coin',
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    '0x06c37168a7db5138defc7866392bb87a741f9b3d104deb5094588ce041cae335',
  ],
  11155111: [
    'USDC',
    '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
    '0xb90e5057db141a932946e64d09ccb7ffc9b00bd79fec26f698d29af0c83320a6',
  ],
  137: [
    'USD Coin',
    '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    '0xcaa2ce1a5703ccbe253a34eb3166df60a705c561b44b192061e28f2a985be2ca',
  ],
  80002: [
    'USDC',
    '0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582',
    '0x5cddc98319864e897e4469bd1d13c2288c677047b54b8cca12bd342adb6be9eb',
  ],
  8453: [
    'USD Coin',
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
  ],
  84532: [
    'USDC',
    '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    '0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818',
  ],
  42161: [
    'USD Coin',
    '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    '0x08d11903f8419e68b1b8721bcbe2e9fc68569122a77ef18c216f10b3b5112c78',
  ],
  421614: [
    'USD Coin',
    '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
    '0x85944e1292d007732838d6eadfa67589b78ffcededbd4df60488d0af251308bb',
  ],
  143: [
    'USDC',
    '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
    '0xfe22123edc0dd4aeb912eb7948c5f0e531592c2053b3067612f427db342c93c6',
  ],
  10143: [
    'USDC',
    '0x534b2f3A21130d7a60830c2Df862319e593943A3',
    '0xf1090f5a61ddee19528cecc447be0f91c7205fc2b34dd271fc0de87809a0a48d',
  ],
}

/**
 * Circle's USDC on a network, pinned: address, EIP-712 name and version, domain separator.
 *
 * @throws {@link NoUsdcAuthorizationError} on Tempo, whose dollars have no EIP-3009; UnknownNetworkError on a chain
 * that the service does not have
 * @example
 * ```ts
 * import { usdcToken } from 'redeemkit/evm'
 * usdcToken({ chainId: 84532 }).name // 'USDC'
 * ```
 */
export function usdcToken(options: usdcToken.Options): UsdcToken {
  const chainId = checkChainId(options.chainId, 'chainId')
  checkUsdcAuthorizations(chainId)
  const row = rows[chainId]
  // without a row, `networkOf` throws the error that names the known networks
  const [name, address, domainSeparator] = row ?? unknownChain(chainId)
  return { chainId, address, name, version: '2', decimals: 6, domainSeparator }
}

export declare namespace usdcToken {
  type Options = { chainId: number }
  type ErrorType = InvalidChainIdError | NoUsdcAuthorizationError | UnknownNetworkError
}

/**
 * Refuses the chains on which USDC cannot be paid by signature.
 *
 * @throws {@link NoUsdcAuthorizationError}
 */
export function checkUsdcAuthorizations(chainId: number): void {
  if (isTempoChain(chainId))
    throw new NoUsdcAuthorizationError(
      `Tempo (chain ${chainId}) has no Circle USDC and no token with EIP-3009.`,
      { field: 'chainId', fix: 'Pay with credits only on Tempo.', docs: 'EIP-3009' },
    )
}

function unknownChain(chainId: number): never {
  const { name } = networkOf({ chainId })
  throw new NoUsdcAuthorizationError(`No USDC is known on ${name}.`, { field: 'chainId' })
}

/** A chain on which customers cannot pay in USDC by signature. */
export class NoUsdcAuthorizationError extends BaseError {
  override readonly name = 'NoUsdcAuthorizationError'
}
