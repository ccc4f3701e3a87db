import type { Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { freeze } from '../../core/freeze.ts'
import { checkDomain, domainMembers, type WithoutDomain } from '../eip712/typedDataDomain.ts'
import { checkAddress } from '../values/checkAddress.ts'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'
import { checkKeys, checkRecord } from '../values/checkKeys.ts'
import { checkText } from '../values/checkText.ts'
import { checkUint } from '../values/checkUint.ts'
import { hashTypedData } from '../viem.ts'
import type { CreditPermit, CreditPermitDomain } from './creditPermit.ts'

/** The EIP-712 types of a credit permit, members in the order of its typehash. */
export const creditPermitTypes = /* @__PURE__ */ freeze({
  EIP712Domain: domainMembers,
  CreditsAuthorization: [
    { name: 'customerWallet', type: 'address' },
    { name: 'creditSeed', type: 'string' },
    { name: 'amount', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const)

/**
 * The complete EIP-712 typed data of a credit permit, every value checked, addresses checksummed.
 *
 * @returns what viem's `signTypedData` takes; integers are bigints
 * @throws InvalidAddressError, InvalidTextError, InvalidAmountError, InvalidHexError, InvalidChainIdError,
 * MissingFieldError, UnknownFieldError
 * @example
 * ```ts
 * import { creditPermitTypedData } from 'redeemkit/evm'
 * creditPermitTypedData({
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   permit: {
 *     customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     creditSeed: 'my-shop',
 *     amount: 1_030_000n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * }).primaryType // 'CreditsAuthorization'
 * ```
 */
export function creditPermitTypedData(options: creditPermitTypedData.Options): CreditPermitTypedData {
  checkRecord(options, 'options')
  return {
    domain: checkDomain(options.domain),
    types: creditPermitTypes,
    primaryType: 'CreditsAuthorization',
    message: checkPermit(options.permit),
  }
}

export declare namespace creditPermitTypedData {
  type Options = { domain: CreditPermitDomain; permit: CreditPermit }
  type ReturnType = CreditPermitTypedData
  type ErrorType = checkDomain.ErrorType | InvalidAmountError | InvalidHexError
}

/** Typed data of a credit permit. */
export type CreditPermitTypedData = {
  domain: CreditPermitDomain
  types: WithoutDomain<typeof creditPermitTypes>
  primaryType: 'CreditsAuthorization'
  message: CreditPermit
}

function checkPermit(permit: CreditPermit): CreditPermit {
  checkKeys(permit, 'permit', {
    required: ['customerWallet', 'creditSeed', 'amount', 'validBefore', 'nonce'],
  })
  return {
    customerWallet: checkAddress(permit.customerWallet, 'permit.customerWallet'),
    creditSeed: checkText(permit.creditSeed, 'permit.creditSeed'),
    amount: checkUint(permit.amount, 'permit.amount'),
    validBefore: checkUint(permit.validBefore, 'permit.validBefore'),
    nonce: checkHex(permit.nonce, 'permit.nonce', { bytes: 32 }),
  }
}

/**
 * Returns the EIP-712 digest of a credit permit, which the wallet signs and the contract checks.
 *
 * @returns 32 bytes
 * @throws what {@link creditPermitTypedData} throws
 * @example
 * ```ts
 * import { hashCreditPermit } from 'redeemkit/evm'
 * hashCreditPermit({
 *   domain: { name: 'Credits', version: '1', chainId: 8453, verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
 *   permit: {
 *     customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
 *     creditSeed: 'my-shop',
 *     amount: 1_030_000n,
 *     validBefore: 1_800_000_000n,
 *     nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
 *   },
 * })
 * ```
 */
export function hashCreditPermit(options: creditPermitTypedData.Options): Hex {
  // viem's hash ignores unknown fields and a missing chainId, and takes integers as text: the checks come first.
  return hashTypedData(creditPermitTypedData(options))
}

export declare namespace hashCreditPermit {
  type Options = creditPermitTypedData.Options
  type ErrorType = creditPermitTypedData.ErrorType
}
