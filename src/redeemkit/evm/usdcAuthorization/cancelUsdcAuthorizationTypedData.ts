import type { Address, Hex } from 'viem'
import { freeze } from '../../core/freeze.ts'
import { domainMembers, type TypedDataDomain, type WithoutDomain } from '../eip712/typedDataDomain.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { hashTypedData } from '../viem.ts'
import { usdcDomain } from './usdcDomain.ts'

/** The EIP-712 types of a cancellation, members in the order of its typehash. */
export const cancelUsdcAuthorizationTypes = /* @__PURE__ */ freeze({
  EIP712Domain: domainMembers,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const)

/**
 * The complete EIP-712 typed data that cancels the nonce of a USDC authorization (EIP-3009).
 *
 * @throws NoUsdcAuthorizationError on Tempo; UnknownNetworkError; InvalidAddressError, InvalidHexError
 * @example
 * ```ts
 * import { cancelUsdcAuthorizationTypedData } from 'redeemkit/evm'
 * cancelUsdcAuthorizationTypedData({
 *   chainId: 8453,
 *   authorizer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 * }).primaryType // 'CancelAuthorization'
 * ```
 */
export function cancelUsdcAuthorizationTypedData(
  options: cancelUsdcAuthorizationTypedData.Options,
): CancelUsdcAuthorizationTypedData {
  checkRecord(options, 'options')
  return {
    domain: usdcDomain(options.chainId, options.token),
    types: cancelUsdcAuthorizationTypes,
    primaryType: 'CancelAuthorization',
    message: {
      authorizer: checkAddress(options.authorizer, 'authorizer'),
      nonce: checkHex(options.nonce, 'nonce', { bytes: 32 }),
    },
  }
}

export declare namespace cancelUsdcAuthorizationTypedData {
  type Options = {
    chainId: number
    /** Whose authorization it is: its `from`. */
    authorizer: Address
    nonce: Hex
    /** A test token in place of the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
  }
  type ErrorType = usdcDomain.ErrorType | InvalidHexError
}

/** Typed data of a cancellation. */
export type CancelUsdcAuthorizationTypedData = {
  domain: TypedDataDomain
  types: WithoutDomain<typeof cancelUsdcAuthorizationTypes>
  primaryType: 'CancelAuthorization'
  message: { authorizer: Address; nonce: Hex }
}

/** Returns the EIP-712 digest of {@link cancelUsdcAuthorizationTypedData}. */
export function hashCancelUsdcAuthorization(options: cancelUsdcAuthorizationTypedData.Options): Hex {
  return hashTypedData(cancelUsdcAuthorizationTypedData(options))
}

export declare namespace hashCancelUsdcAuthorization {
  type ErrorType = cancelUsdcAuthorizationTypedData.ErrorType
}
