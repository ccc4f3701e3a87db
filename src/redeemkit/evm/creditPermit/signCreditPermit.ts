import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import { permitMaximumSeconds, permitMinimumSeconds } from '../../core/limits.ts'
import { checkNonZeroAddress } from '../checkAddress.ts'
import type { EvmClient } from '../client.ts'
import type { SignatureInput } from '../signature/normalizeSignature.ts'
import type { SignatureScheme } from '../signature/signatureScheme.ts'
import { verifyDigest } from '../signature/verifyDigest.ts'
import { signTypedData } from '../signer/signTypedData.ts'
import type { EvmSigner } from '../signer/toSigner.ts'
import { checkNotExpired, checkNotTooFarAhead, type ExpiredError, type TooFarAheadError } from '../values.ts'
import { hashTypedData } from '../viem.ts'
import { creditPermitTypedData } from './creditPermit.ts'
import type { DisclosedIntent } from './disclosedIntent.ts'

/**
 * Asks a wallet to sign a credit permit.
 *
 * Before it asks the wallet, it checks the permit's values and expiry (PROTOCOL.md 3.3), and the
 * wallet's account and chain. It does not check what the permit pays for: `prepareRedeem` compares that with the request.
 *
 * @returns the signature as bytes of any length. With `client`, it is verified on chain, and normalized if the account has no code.
 * @throws before any prompt: InvalidOptionError for an option that is missing, unknown or of the wrong type; ExpiredError,
 * TooFarAheadError, WrongSignerError, WrongNetworkError, WalletNotConnectedError. From the prompt: UserRejectedError if the user rejects
 * the request; WalletFailedError, InvalidWalletAnswerError, WrongSignatureError
 * @example
 * ```ts
 * import { signCreditPermit } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * await signCreditPermit(account, {
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   permit: {
 *     customerWallet: account.address,
 *     creditSeed: 'my-shop',
 *     amount: 1_030_000n,
 *     validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export async function signCreditPermit(signer: EvmSigner, options: signCreditPermit.Options): Promise<Hex> {
  checkOptions(options, {
    domain: 'object',
    permit: 'object',
    client: 'object?',
    signatures: 'object?',
    now: 'any',
    onPrompt: 'function?',
    onSigned: 'function?',
  })
  return askForCreditPermit(signer, { ...options, redeemIntent: undefined })
}

/** Like {@link signCreditPermit}, with internal options, and the purchase to disclose to a wallet that accepts it (PROTOCOL.md 4.7). */
export async function askForCreditPermit(
  signer: EvmSigner,
  options: askForCreditPermit.Options,
): Promise<Hex> {
  const typedData = creditPermitTypedData(options)
  const { domain, message } = typedData
  checkNonZeroAddress(message.customerWallet, 'permit.customerWallet')
  checkNonZeroAddress(domain.verifyingContract, 'domain.verifyingContract')
  const now = unixSeconds(options.now)
  checkNotExpired(message.validBefore, now, 'permit.validBefore', permitMinimumSeconds)
  checkNotTooFarAhead(message.validBefore, now, 'permit.validBefore', permitMaximumSeconds)
  return signTypedData(signer, {
    ...options,
    typedData,
    address: message.customerWallet,
    addressField: 'permit.customerWallet',
  })
}

export declare namespace signCreditPermit {
  type Options = creditPermitTypedData.Options & {
    /** Reads the chain to normalize and verify the signature. */
    client?: EvmClient | undefined
    /** Verifies signature types that only one chain has: on Tempo, pass `tempoSignatures()` from `redeemkit/tempo` if your signer is from
     * another library. Default: the signer's own scheme. */
    signatures?: SignatureScheme | undefined
    /** Returns milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
    /** Called and awaited directly before the wallet prompts the user. If it throws, signing stops with that error. */
    onPrompt?: (() => void | Promise<void>) | undefined
    /** Called and awaited with the signature as the wallet returned it, so that you can store it before it is verified. */
    onSigned?: ((signature: Hex) => void | Promise<void>) | undefined
  }
  type ErrorType =
    | signTypedData.ErrorType
    | creditPermitTypedData.ErrorType
    | ExpiredError
    | InvalidClockError
    | TooFarAheadError
}

export declare namespace askForCreditPermit {
  type Options = signCreditPermit.Options & { redeemIntent: DisclosedIntent | undefined }
}

/**
 * Returns whether `customerWallet` signed a credit permit. Does not check the expiry.
 *
 * Signatures by an EOA's key are verified offline. Accounts with code (EIP-7702 included) are verified with ERC-1271, and ERC-6492
 * signatures with a simulated deployment; both need `client`. On Tempo, pass `signatures`: P-256 and WebAuthn are verified offline,
 * access keys need `client`.
 *
 * @param options.signature packed or compact bytes, `{ r, s, v }`, or the bytes of a contract account
 * @throws if the permit or domain is malformed, the signature is not bytes, the node does not respond (ChainReadError), or only
 * `redeemkit/tempo` could verify the signature (SignatureSchemeMissingError)
 * @example
 * ```ts
 * import { parseCreditPermitMessage, type SignatureInput, verifyCreditPermit } from 'redeemkit/evm'
 * const isSigned = (message: string, signature: SignatureInput) =>
 *   verifyCreditPermit({ ...parseCreditPermitMessage(message), signature })
 * ```
 */
export async function verifyCreditPermit(options: verifyCreditPermit.Options): Promise<boolean> {
  checkOptions(options, {
    domain: 'any',
    permit: 'any',
    signature: 'any',
    client: 'object?',
    signatures: 'object?',
  })
  const typedData = creditPermitTypedData(options)
  return verifyDigest({
    ...options,
    address: typedData.message.customerWallet,
    addressField: 'permit.customerWallet',
    digest: hashTypedData(typedData),
    chainId: typedData.domain.chainId,
  })
}

export declare namespace verifyCreditPermit {
  type Options = creditPermitTypedData.Options & {
    signature: SignatureInput
    /** Reads the chain to verify accounts with code. Without a client, only a signature by the account's own key is valid. */
    client?: EvmClient | undefined
    /** Verifies signature types that only one chain has: on Tempo, pass `tempoSignatures()` from `redeemkit/tempo`. */
    signatures?: SignatureScheme | undefined
  }
  type ErrorType = creditPermitTypedData.ErrorType | verifyDigest.ErrorType
}
