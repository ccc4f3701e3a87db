import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { freeze } from '../../core/freeze.ts'
import { checkAddress, checkNonZeroAddress } from '../checkAddress.ts'
import { signTypedData } from '../signer/signTypedData.ts'
import type { EvmSigner } from '../signer/toSigner.ts'
import { domainMembers, type TypedDataDomain, type WithoutDomain } from '../typedData.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkHex, checkRecord, type InvalidHexError } from '../values.ts'
import { hashTypedData } from '../viem.ts'
import type { signUsdcAuthorization } from './signUsdcAuthorization.ts'
import { usdcDomain } from './usdcAuthorization.ts'

/**
 * Asks a wallet to sign the cancellation of a USDC authorization's nonce (EIP-3009).
 *
 * Anyone can submit the signed cancellation through the token's `cancelAuthorization(authorizer, nonce, …)`.
 *
 * @returns the signature as bytes of any length
 * @throws NoUsdcAuthorizationError on Tempo; WrongSignerError, WrongNetworkError, WalletNotConnectedError before any
 * prompt; UserRejectedError; WalletFailedError, InvalidWalletAnswerError, WrongSignatureError
 * @example
 * ```ts
 * import { cancelUsdcAuthorization } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * await cancelUsdcAuthorization(account, {
 *   chainId: 8453,
 *   authorizer: account.address,
 *   nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 * })
 * ```
 */
export async function cancelUsdcAuthorization(
  signer: EvmSigner,
  options: cancelUsdcAuthorization.Options,
): Promise<Hex> {
  checkOptions(options, {
    chainId: 'any',
    authorizer: 'any',
    nonce: 'any',
    token: 'object?',
    client: 'object?',
  })
  const typedData = cancelUsdcAuthorizationTypedData(options)
  return signTypedData(signer, {
    typedData,
    address: checkNonZeroAddress(typedData.message.authorizer, 'authorizer'),
    addressField: 'authorizer',
    client: options.client,
  })
}

export declare namespace cancelUsdcAuthorization {
  type Options = cancelUsdcAuthorizationTypedData.Options & Pick<signUsdcAuthorization.Options, 'client'>
  type ErrorType = signTypedData.ErrorType | cancelUsdcAuthorizationTypedData.ErrorType
}

/** The EIP-712 types of a cancellation, with the members in typehash order. */
export const cancelUsdcAuthorizationTypes = /* @__PURE__ */ freeze({
  EIP712Domain: domainMembers,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const)

/**
 * Returns the complete EIP-712 typed data that cancels the nonce of a USDC authorization (EIP-3009).
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
    /** The payer: `from` of the authorization. */
    authorizer: Address
    nonce: Hex
    /** A test token that replaces the chain's pinned USDC. */
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
