import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { freeze } from '../../core/freeze.ts'
import { checkAddress, checkNonZeroAddress } from '../checkAddress.ts'
import { signTypedData } from '../signer/signTypedData.ts'
import type { EvmSigner } from '../signer/toSigner.ts'
import { checkDomain, domainMembers, type WithoutDomain } from '../typedData.ts'
import { checkHex, checkRecord, type InvalidHexError } from '../values.ts'
import { hashTypedData } from '../viem.ts'
import type { CreditPermitDomain } from './creditPermit.ts'
import type { signCreditPermit } from './signCreditPermit.ts'

/**
 * Asks a wallet to sign the cancellation of a permit's nonce.
 *
 * Anyone can submit the signed cancellation through the contract's `cancelCreditsAuthorization(customerWallet, nonce, signature)`. If a
 * redeem competes with it, the transaction that is mined first wins (PROTOCOL.md 3).
 *
 * @returns the signature as bytes of any length
 * @throws WrongSignerError, WrongNetworkError, WalletNotConnectedError before any prompt; UserRejectedError;
 * WalletFailedError, InvalidWalletAnswerError, WrongSignatureError; the errors of `cancelCreditPermitTypedData`
 * @example
 * ```ts
 * import { cancelCreditPermit } from 'redeemkit/evm'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * await cancelCreditPermit(account, {
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   customerWallet: account.address,
 *   nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 * })
 * ```
 */
export async function cancelCreditPermit(
  signer: EvmSigner,
  options: cancelCreditPermit.Options,
): Promise<Hex> {
  checkOptions(options, {
    domain: 'any',
    customerWallet: 'any',
    nonce: 'any',
    client: 'object?',
    signatures: 'object?',
  })
  const typedData = cancelCreditPermitTypedData(options)
  return signTypedData(signer, {
    ...options,
    typedData,
    address: checkNonZeroAddress(typedData.message.customerWallet, 'customerWallet'),
    addressField: 'customerWallet',
  })
}

export declare namespace cancelCreditPermit {
  type Options = cancelCreditPermitTypedData.Options & Pick<signCreditPermit.Options, 'client' | 'signatures'>
  type ErrorType = signTypedData.ErrorType | cancelCreditPermitTypedData.ErrorType
}

/** The EIP-712 types of a cancellation, with the members in typehash order. */
export const cancelCreditPermitTypes = /* @__PURE__ */ freeze({
  EIP712Domain: domainMembers,
  CancelCreditsAuthorization: [
    { name: 'customerWallet', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const)

/**
 * Returns the complete EIP-712 typed data that cancels a credit permit's nonce (PROTOCOL.md 3).
 *
 * @throws InvalidAddressError, InvalidHexError, InvalidTextError, InvalidChainIdError
 * @example
 * ```ts
 * import { cancelCreditPermitTypedData } from 'redeemkit/evm'
 * cancelCreditPermitTypedData({
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *   nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 * }).primaryType // 'CancelCreditsAuthorization'
 * ```
 */
export function cancelCreditPermitTypedData(
  options: cancelCreditPermitTypedData.Options,
): CancelCreditPermitTypedData {
  checkRecord(options, 'options')
  return {
    domain: checkDomain(options.domain),
    types: cancelCreditPermitTypes,
    primaryType: 'CancelCreditsAuthorization',
    message: {
      customerWallet: checkAddress(options.customerWallet, 'customerWallet'),
      nonce: checkHex(options.nonce, 'nonce', { bytes: 32 }),
    },
  }
}

export declare namespace cancelCreditPermitTypedData {
  type Options = { domain: CreditPermitDomain; customerWallet: Address; nonce: Hex }
  type ErrorType = checkDomain.ErrorType | InvalidHexError
}

/** Typed data of a cancellation. */
export type CancelCreditPermitTypedData = {
  domain: CreditPermitDomain
  types: WithoutDomain<typeof cancelCreditPermitTypes>
  primaryType: 'CancelCreditsAuthorization'
  message: { customerWallet: Address; nonce: Hex }
}

/** Returns the EIP-712 digest of {@link cancelCreditPermitTypedData}. */
export function hashCancelCreditPermit(options: cancelCreditPermitTypedData.Options): Hex {
  return hashTypedData(cancelCreditPermitTypedData(options))
}

export declare namespace hashCancelCreditPermit {
  type ErrorType = cancelCreditPermitTypedData.ErrorType
}
