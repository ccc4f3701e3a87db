import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import type { EvmClient } from '../client/evmClient.ts'
import type { EvmSigner } from '../signer/evmSigner.ts'
import { signTypedData } from '../signer/signTypedData.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkNonZeroAddress } from '../values/checkAddress.ts'
import {
  cancelUsdcAuthorizationTypedData,
  hashCancelUsdcAuthorization,
} from './cancelUsdcAuthorizationTypedData.ts'

/**
 * Asks a wallet to sign the cancellation of a USDC authorization's nonce (EIP-3009).
 *
 * Anyone may relay it with the token's `cancelAuthorization(authorizer, nonce, …)`.
 *
 * @returns the signature, opaque bytes
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
  const { chainId, token } = options
  const typedData = cancelUsdcAuthorizationTypedData(options)
  return signTypedData(signer, {
    typedData,
    digest: hashCancelUsdcAuthorization({ chainId, token, ...typedData.message }),
    address: checkNonZeroAddress(typedData.message.authorizer, 'authorizer'),
    addressField: 'authorizer',
    client: options.client,
  })
}

export declare namespace cancelUsdcAuthorization {
  type Options = {
    chainId: number
    /** Whose authorization it is: its `from`. */
    authorizer: Address
    nonce: Hex
    /** A test token in place of the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
    /** Reads the chain: the signature is brought into its canonical form and checked. */
    client?: EvmClient | undefined
  }
  type ErrorType =
    | checkOptions.ErrorType
    | signTypedData.ErrorType
    | cancelUsdcAuthorizationTypedData.ErrorType
}
