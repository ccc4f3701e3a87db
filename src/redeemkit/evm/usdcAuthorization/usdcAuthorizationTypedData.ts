import type { Hex, TypedDataDefinition } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { freeze } from '../../core/freeze.ts'
import { domainMembers, type TypedDataDomain } from '../eip712/typedDataDomain.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkKeys, checkRecord } from '../values/checkKeys.ts'
import { checkUint } from '../values/checkUint.ts'
import { hashTypedData } from '../viem.ts'
import { checkAuthorizationType, type UnknownAuthorizationTypeError } from './checkAuthorizationType.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'
import { usdcDomain } from './usdcDomain.ts'

const members = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The EIP-712 types of the two USDC authorizations, members in the order of their typehashes (EIP-3009). */
export const usdcAuthorizationTypes = /* @__PURE__ */ freeze({
  TransferWithAuthorization: { EIP712Domain: domainMembers, TransferWithAuthorization: members },
  ReceiveWithAuthorization: { EIP712Domain: domainMembers, ReceiveWithAuthorization: members },
} as const)

/**
 * The complete EIP-712 typed data of a USDC authorization, every value checked, addresses checksummed.
 *
 * @returns what viem's `signTypedData` takes; integers are bigints
 * @throws NoUsdcAuthorizationError on Tempo; UnknownNetworkError; UnknownAuthorizationTypeError; InvalidAddressError,
 * InvalidAmountError, InvalidHexError, MissingFieldError, UnknownFieldError
 * @example
 * ```ts
 * import { usdcAuthorizationTypedData } from 'redeemkit/evm'
 * usdcAuthorizationTypedData({
 *   chainId: 8453,
 *   type: 'ReceiveWithAuthorization',
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * }).domain.name // 'USD Coin'
 * ```
 */
export function usdcAuthorizationTypedData<const type extends UsdcAuthorizationType>(
  options: usdcAuthorizationTypedData.Options<type>,
): UsdcAuthorizationTypedData<type> {
  checkRecord(options, 'options')
  const { authorization } = options
  // the check returns the very literal that it was given, or throws
  const type = checkAuthorizationType(options.type) as type
  checkKeys(authorization, 'authorization', {
    required: ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'],
  })
  return {
    domain: usdcDomain(options.chainId, options.token),
    // one key of the two, and `EIP712Domain`, which stays out of the type
    types: usdcAuthorizationTypes[type] as unknown as { readonly [name in type]: typeof members },
    primaryType: type,
    message: {
      from: checkAddress(authorization.from, 'authorization.from'),
      to: checkAddress(authorization.to, 'authorization.to'),
      value: checkUint(authorization.value, 'authorization.value'),
      validAfter: checkUint(authorization.validAfter, 'authorization.validAfter'),
      validBefore: checkUint(authorization.validBefore, 'authorization.validBefore'),
      nonce: checkHex(authorization.nonce, 'authorization.nonce', { bytes: 32 }),
    },
  }
}

export declare namespace usdcAuthorizationTypedData {
  type Options<type extends UsdcAuthorizationType = UsdcAuthorizationType> = {
    chainId: number
    type: type
    authorization: UsdcAuthorization
    /** A test token in place of the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
  }
  type ReturnType<type extends UsdcAuthorizationType = UsdcAuthorizationType> =
    UsdcAuthorizationTypedData<type>
  type ErrorType = usdcDomain.ErrorType | InvalidAmountError | InvalidHexError | UnknownAuthorizationTypeError
}

/** Typed data of a USDC authorization. `EIP712Domain` is in `types` too, as in all our typed data, but not in its type. */
export type UsdcAuthorizationTypedData<type extends UsdcAuthorizationType = UsdcAuthorizationType> = {
  domain: TypedDataDomain
  types: { readonly [name in type]: typeof members }
  primaryType: type
  message: UsdcAuthorization
}

/**
 * Returns the EIP-712 digest of a USDC authorization, which the wallet signs and the token checks.
 *
 * @returns 32 bytes
 * @throws what {@link usdcAuthorizationTypedData} throws
 * @example
 * ```ts
 * import { hashUsdcAuthorization } from 'redeemkit/evm'
 * hashUsdcAuthorization({
 *   chainId: 8453,
 *   type: 'ReceiveWithAuthorization',
 *   authorization: {
 *     from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export function hashUsdcAuthorization(options: usdcAuthorizationTypedData.Options): Hex {
  // The generic type of the result is too wide for viem's inference.
  return hashTypedData(usdcAuthorizationTypedData(options) as TypedDataDefinition)
}

export declare namespace hashUsdcAuthorization {
  type Options = usdcAuthorizationTypedData.Options
  type ErrorType = usdcAuthorizationTypedData.ErrorType
}
