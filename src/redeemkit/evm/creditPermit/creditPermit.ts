import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { freeze } from '../../core/freeze.ts'
import { checkAddress } from '../checkAddress.ts'
import { readTypedData } from '../readTypedData.ts'
import { checkDomain, domainMembers, type TypedDataDomain, type WithoutDomain } from '../typedData.ts'
import {
  checkHex,
  checkKeys,
  checkRecord,
  checkText,
  checkUint,
  type InvalidHexError,
  parseUint,
} from '../values.ts'
import { hashTypedData } from '../viem.ts'

/** The EIP-712 domain of a credits contract. redeemkit's contract has name `Credits` and version `1`. */
export type CreditPermitDomain = TypedDataDomain

/** The EIP-712 message `CreditsAuthorization` (PROTOCOL.md 3). */
export type CreditPermit = {
  /** The wallet that pays with its credits. */
  customerWallet: Address
  /** Name of the merchant's credit balance. */
  creditSeed: string
  /** Maximum charge in credits, including the gas fee. Raw units; 1 USD is `1_000_000n`. */
  amount: bigint
  /** Unix seconds at which the permit expires. */
  validBefore: bigint
  /** 32 bytes. Each wallet can use a nonce once. The highest bit is set if the nonce commits to a purchase (PROTOCOL.md 4). */
  nonce: Hex
}

/** Name and version in the EIP-712 domain of redeemkit's credits contract (PROTOCOL.md 3.1). Pinned values can replace them. */
export const creditsDomain = { name: 'Credits', version: '1' } as const

/** The EIP-712 types of a credit permit, with the members in typehash order. */
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
 * Returns the complete EIP-712 typed data of a credit permit, with checked values and checksummed addresses.
 *
 * @returns an argument for viem's `signTypedData`; integers are bigints
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
    message: permitOf(checkKeys(options.permit, 'permit', { required: permitKeys }), 'permit', checkUint),
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

const permitKeys = /* @__PURE__ */ creditPermitTypes.CreditsAuthorization.map(({ name }) => name)

export const readPermit = (message: Record<string, unknown>) => permitOf(message, 'message', parseUint)

const permitOf = (
  { customerWallet, creditSeed, amount, validBefore, nonce }: Record<string, unknown>,
  at: string,
  uint: typeof parseUint,
): CreditPermit => ({
  customerWallet: checkAddress(customerWallet, `${at}.customerWallet`),
  creditSeed: checkText(creditSeed, `${at}.creditSeed`),
  amount: uint(amount, `${at}.amount`),
  validBefore: uint(validBefore, `${at}.validBefore`),
  nonce: checkHex(nonce, `${at}.nonce`, { bytes: 32 }),
})

/**
 * Returns the EIP-712 digest of a credit permit, which the wallet signs and the contract checks.
 *
 * @returns 32 bytes
 * @throws the errors of {@link creditPermitTypedData}
 * @example
 * ```ts
 * import { type CreditPermit, type CreditPermitDomain, hashCreditPermit } from 'redeemkit/evm'
 * const digestOf = (domain: CreditPermitDomain, permit: CreditPermit) => hashCreditPermit({ domain, permit })
 * ```
 */
export function hashCreditPermit(options: creditPermitTypedData.Options): Hex {
  // check first: viem's `hashTypedData` accepts unknown fields, integers as text, and a missing chainId
  return hashTypedData(creditPermitTypedData(options))
}

export declare namespace hashCreditPermit {
  type Options = creditPermitTypedData.Options
  type ErrorType = creditPermitTypedData.ErrorType
}

/**
 * Parses the `message` of a `creditsAuthMsg` response: the complete typed data as JSON text.
 *
 * Domain, types and message must have exactly the expected fields. `amount`, `validBefore` and `chainId` may be JSON numbers
 * up to 2^53 - 1, or decimal text. A number that would be rounded is refused.
 *
 * The result is well-formed, but not yet trusted: compare it with your request (PROTOCOL.md 3).
 *
 * @throws UnknownTypedDataError for an unknown layout, naming its fields; InvalidJsonError; UnsafeJsonNumberError for an
 * integer above 2^53 - 1; InvalidAddressError, InvalidAmountError, InvalidHexError, InvalidTextError,
 * InvalidChainIdError, MissingFieldError, UnknownFieldError, InvalidRecordError
 * @example
 * ```ts
 * import { parseCreditPermitMessage } from 'redeemkit/evm'
 * const read = (answer: { message: string }) => parseCreditPermitMessage(answer.message).permit.amount
 * ```
 */
export function parseCreditPermitMessage(text: string): parseCreditPermitMessage.ReturnType {
  const { domain, message } = readTypedData(checkText(text, 'message'), {
    CreditsAuthorization: creditPermitTypes.CreditsAuthorization,
  })
  return { domain, permit: readPermit(message) }
}

export declare namespace parseCreditPermitMessage {
  type ReturnType = { domain: CreditPermitDomain; permit: CreditPermit }
  type ErrorType = readTypedData.ErrorType | InvalidHexError
}
