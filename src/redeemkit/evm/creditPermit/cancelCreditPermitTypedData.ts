import type { Address, Hex } from 'viem'
import { freeze } from '../../core/freeze.ts'
import { checkDomain, domainMembers, type WithoutDomain } from '../eip712/typedDataDomain.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkRecord } from '../values/checkKeys.ts'
import { hashTypedData } from '../viem.ts'
import type { CreditPermitDomain } from './creditPermit.ts'

/** The EIP-712 types of a cancellation, members in the order of its typehash. */
export const cancelCreditPermitTypes = /* @__PURE__ */ freeze({
  EIP712Domain: domainMembers,
  CancelCreditsAuthorization: [
    { name: 'customerWallet', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const)

/**
 * The complete EIP-712 typed data that cancels a credit permit's nonce (PROTOCOL.md 3).
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
