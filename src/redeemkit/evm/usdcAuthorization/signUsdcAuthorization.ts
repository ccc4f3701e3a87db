import type { Hex } from 'viem'
import { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import type { EvmClient } from '../client.ts'
import type { DisclosedIntent } from '../creditPermit/disclosedIntent.ts'
import type { SignatureInput } from '../signature/normalizeSignature.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { signTypedData } from '../signer/signTypedData.ts'
import type { EvmSigner } from '../signer/toSigner.ts'
import {
  checkNotExpired,
  checkNotTooEarly,
  checkNotTooFarAhead,
  type ExpiredError,
  type NotYetValidError,
  parseUint,
  type TooFarAheadError,
} from '../values.ts'
import { hashUsdcAuthorization, usdcAuthorizationTypedData } from './usdcAuthorization.ts'

/**
 * Asks a wallet to sign a USDC authorization (EIP-3009).
 *
 * Before it asks the wallet, it checks the values, the times, and the wallet's account and chain. Prefer
 * `ReceiveWithAuthorization`, which only `to` can execute.
 *
 * @returns the signature as bytes, for `toUsdcAuthorizationV1` or `toUsdcAuthorizationV2`. With `client`, it is verified on
 * chain, and normalized if the account has no code.
 * @throws before any prompt: InvalidOptionError for an option that is missing, unknown or of the wrong type; NoUsdcAuthorizationError on
 * Tempo; InvalidAmountError for a value of zero; ExpiredError, NotYetValidError, TooFarAheadError, WrongSignerError, WrongNetworkError,
 * WalletNotConnectedError, and the errors of `usdcAuthorizationTypedData`. From the prompt: UserRejectedError, WalletFailedError,
 * InvalidWalletAnswerError, WrongSignatureError
 * @example
 * ```ts
 * import { signUsdcAuthorization } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * await signUsdcAuthorization(account, {
 *   chainId: 8453,
 *   type: 'ReceiveWithAuthorization',
 *   authorization: {
 *     from: account.address,
 *     to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
 *     value: 4_000_000n,
 *     validAfter: 0n,
 *     validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export async function signUsdcAuthorization(
  signer: EvmSigner,
  options: signUsdcAuthorization.Options,
): Promise<Hex> {
  checkOptions(options, {
    chainId: 'any',
    type: 'any',
    authorization: 'object',
    token: 'object?',
    maxValidForSeconds: 'any',
    client: 'object?',
    now: 'any',
    onPrompt: 'function?',
  })
  return askForUsdcAuthorization(signer, { ...options, redeemIntent: undefined })
}

/** Like {@link signUsdcAuthorization}, with internal options and the purchase to disclose to a wallet that accepts it (PROTOCOL.md 4.7). */
export async function askForUsdcAuthorization(
  signer: EvmSigner,
  options: signUsdcAuthorization.Options & { redeemIntent: DisclosedIntent | undefined },
): Promise<Hex> {
  const { maxValidForSeconds } = options
  const typedData = usdcAuthorizationTypedData(options)
  const { message } = typedData
  checkNonZeroAddress(message.from, 'authorization.from')
  checkNonZeroAddress(message.to, 'authorization.to')
  if (message.value === 0n)
    throw new InvalidAmountError('An authorization of 0 USDC moves nothing.', {
      field: 'authorization.value',
      fix: 'Omit the authorization if nothing is paid in USDC.',
    })
  const now = unixSeconds(options.now)
  checkNotExpired(message.validBefore, now, 'authorization.validBefore')
  checkNotTooEarly(message.validAfter, now, 'authorization.validAfter')
  if (maxValidForSeconds !== undefined)
    checkNotTooFarAhead(
      message.validBefore,
      now,
      'authorization.validBefore',
      parseUint(maxValidForSeconds, 'maxValidForSeconds'),
    )
  const addressField = 'authorization.from'
  return signTypedData(signer, { ...options, typedData, address: message.from, addressField })
}

export declare namespace signUsdcAuthorization {
  type Options = usdcAuthorizationTypedData.Options & {
    /** Maximum remaining validity of the authorization, in whole seconds. Default: no limit. */
    maxValidForSeconds?: number | undefined
    /** Reads the chain to normalize and verify the signature. */
    client?: EvmClient | undefined
    /** Returns milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
    /** Called and awaited directly before the wallet prompts the user. If it throws, signing stops with that error. */
    onPrompt?: (() => void | Promise<void>) | undefined
  }
  type ErrorType =
    | signTypedData.ErrorType
    | usdcAuthorizationTypedData.ErrorType
    | ExpiredError
    | InvalidClockError
    | NotYetValidError
    | TooFarAheadError
}

/**
 * Returns whether `from` signed a USDC authorization. Does not check `validAfter` and `validBefore`.
 *
 * Signatures by an EOA's key are verified offline. Accounts with code (EIP-7702 included) are verified with ERC-1271, and ERC-6492
 * signatures with a simulated deployment; both need `client`. The token itself does not accept ERC-6492 signatures.
 *
 * @param options.signature packed or compact bytes, `{ r, s, v }`, or the bytes of a contract account
 * @throws if the authorization is malformed, the signature is not bytes, the chain has no EIP-3009 USDC
 * (NoUsdcAuthorizationError), or the node does not respond (ChainReadError)
 * @example
 * ```ts
 * import { type SignatureInput, type UsdcAuthorization, verifyUsdcAuthorization } from 'redeemkit/evm'
 * const isSigned = (authorization: UsdcAuthorization, signature: SignatureInput) =>
 *   verifyUsdcAuthorization({ chainId: 8453, type: 'TransferWithAuthorization', authorization, signature })
 * ```
 */
export async function verifyUsdcAuthorization(options: verifyUsdcAuthorization.Options): Promise<boolean> {
  checkOptions(options, {
    chainId: 'any',
    type: 'any',
    authorization: 'any',
    signature: 'any',
    token: 'object?',
    client: 'object?',
  })
  const { signature, client } = options
  const { message } = usdcAuthorizationTypedData(options)
  const digest = hashUsdcAuthorization({ ...options, authorization: message })
  return verifyDigest({
    address: message.from,
    addressField: 'authorization.from',
    digest,
    signature,
    client,
  })
}

export declare namespace verifyUsdcAuthorization {
  type Options = usdcAuthorizationTypedData.Options & {
    signature: SignatureInput
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
  }
  type ErrorType = usdcAuthorizationTypedData.ErrorType | verifyDigest.ErrorType
}
