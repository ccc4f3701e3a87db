import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { freeze } from '../../core/freeze.ts'
import { checkAddress } from '../checkAddress.ts'
import { chainText } from '../findingTexts.ts'
import { readTypedData } from '../readTypedData.ts'
import { checkDomain, domainMembers, type TypedDataDomain } from '../typedData.ts'
import {
  checkUsdcAuthorizations,
  NoUsdcAuthorizationError,
  pinnedUsdc,
  type UsdcTokenOverride,
  usdcVersion,
} from '../usdcToken.ts'
import {
  checkChainId,
  checkHex,
  checkKeys,
  checkRecord,
  checkText,
  checkUint,
  type InvalidHexError,
  parseUint,
} from '../values.ts'
import { hashTypedData } from '../viem.ts'

/** The message of an EIP-3009 authorization. */
export type UsdcAuthorization = {
  /** The payer. */
  from: Address
  /** The receiver. */
  to: Address
  /** Raw units; 1 USDC is `1_000_000n`. */
  value: bigint
  /** Unix seconds, exclusive: the block's timestamp must be greater. */
  validAfter: bigint
  /** Unix seconds, exclusive: the block's timestamp must be less. */
  validBefore: bigint
  /** 32 bytes. Each payer can use a nonce once. */
  nonce: Hex
}

/** Anyone can execute a `TransferWithAuthorization`, only `to` a `ReceiveWithAuthorization`. */
export type UsdcAuthorizationType = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'

const members = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The fields of an authorization, both in an EIP-712 message and in a wire record. */
export const authorizationKeys = /* @__PURE__ */ members.map(({ name }) => name)

export const checkAuthorization = (authorization: UsdcAuthorization): UsdcAuthorization =>
  authorizationOf(checkRecord(authorization, 'authorization'), 'authorization.', checkUint)

export const readAuthorization = (record: Record<string, unknown>, at = 'message.'): UsdcAuthorization =>
  authorizationOf(record, at, parseUint)

const authorizationOf = (
  { from, to, value, validAfter, validBefore, nonce }: Record<string, unknown>,
  at: string,
  uint: typeof parseUint,
): UsdcAuthorization => ({
  from: checkAddress(from, `${at}from`),
  to: checkAddress(to, `${at}to`),
  value: uint(value, `${at}value`),
  validAfter: uint(validAfter, `${at}validAfter`),
  validBefore: uint(validBefore, `${at}validBefore`),
  nonce: checkHex(nonce, `${at}nonce`, { bytes: 32 }),
})

/** The EIP-712 types of the two USDC authorizations (EIP-3009), with the members in typehash order. */
export const usdcAuthorizationTypes = /* @__PURE__ */ freeze({
  TransferWithAuthorization: { EIP712Domain: domainMembers, TransferWithAuthorization: members },
  ReceiveWithAuthorization: { EIP712Domain: domainMembers, ReceiveWithAuthorization: members },
} as const)

/**
 * Returns the complete EIP-712 typed data of a USDC authorization, with checked values and checksummed addresses.
 *
 * @returns an argument for viem's `signTypedData`; integers are bigints
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
  // the check returns its argument or throws
  const type = checkAuthorizationType(options.type) as type
  checkKeys(authorization, 'authorization', { required: authorizationKeys })
  return {
    domain: usdcDomain(options.chainId, options.token),
    // TypeScript cannot narrow the table to one entry by a type parameter. The cast does so, and omits `EIP712Domain`.
    types: usdcAuthorizationTypes[type] as unknown as { readonly [name in type]: typeof members },
    primaryType: type,
    message: checkAuthorization(authorization),
  }
}

export declare namespace usdcAuthorizationTypedData {
  type Options<type extends UsdcAuthorizationType = UsdcAuthorizationType> = {
    chainId: number
    type: type
    authorization: UsdcAuthorization
    /** A test token that replaces the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
  }
  type ReturnType<type extends UsdcAuthorizationType = UsdcAuthorizationType> =
    UsdcAuthorizationTypedData<type>
  type ErrorType = usdcDomain.ErrorType | InvalidAmountError | InvalidHexError | UnknownAuthorizationTypeError
}

/** Typed data of a USDC authorization. The value's `types` also contain `EIP712Domain`, which the TypeScript type omits. */
export type UsdcAuthorizationTypedData<type extends UsdcAuthorizationType = UsdcAuthorizationType> = {
  domain: TypedDataDomain
  types: { readonly [name in type]: typeof members }
  primaryType: type
  message: UsdcAuthorization
}

/**
 * Returns the EIP-712 digest of a USDC authorization, which the wallet signs and the token verifies.
 *
 * @returns 32 bytes
 * @throws the errors of {@link usdcAuthorizationTypedData}
 * @example
 * ```ts
 * import { hashUsdcAuthorization, type UsdcAuthorization } from 'redeemkit/evm'
 * const digestOf = (authorization: UsdcAuthorization) =>
 *   hashUsdcAuthorization({ chainId: 8453, type: 'ReceiveWithAuthorization', authorization })
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

/** Returns the EIP-712 domain of a chain's pinned USDC or of the given test token. Throws on Tempo, and for a token of Tempo. */
export function usdcDomain(chainId: number, token: UsdcTokenOverride | undefined): TypedDataDomain {
  checkUsdcAuthorizations(checkChainId(chainId, 'chainId'))
  if (token === undefined) {
    const { address, name } = pinnedUsdc(chainId)
    return { name, version: usdcVersion, chainId, verifyingContract: address }
  }
  checkRecord(token, 'token')
  const domain = checkDomain(
    { name: token.name, version: token.version ?? usdcVersion, chainId, verifyingContract: token.address },
    'token',
  )
  // The service does not know every Tempo network, so check the address: only Tempo's factory deploys tokens with this prefix (TIP-20).
  if (/^0x20c0{21}/i.test(domain.verifyingContract))
    throw new NoUsdcAuthorizationError(
      `${domain.verifyingContract} is a Tempo token, which does not support EIP-3009.`,
      {
        field: 'token.address',
        fix: 'On Tempo, pay with credits only.',
        source: 'EIP-3009',
      },
    )
  return domain
}

export declare namespace usdcDomain {
  type ErrorType = NoUsdcAuthorizationError | checkDomain.ErrorType | UnknownNetworkError
}

export function checkAuthorizationType(type: unknown): UsdcAuthorizationType {
  if (type === 'TransferWithAuthorization' || type === 'ReceiveWithAuthorization') return type
  throw new UnknownAuthorizationTypeError(`${showValue(type)} is not a type of USDC authorization.`, {
    field: 'type',
    fix: 'Use ReceiveWithAuthorization, which only the payee can execute, or TransferWithAuthorization.',
    source: 'EIP-3009',
  })
}

/** The type is not one of the two authorization types of EIP-3009. */
export class UnknownAuthorizationTypeError extends BaseError {
  override readonly name = 'UnknownAuthorizationTypeError'
}

/**
 * Parses the `message` of a USDC authorization: the complete typed data as JSON text.
 *
 * It is as strict as `parseCreditPermitMessage`. In addition, the domain must be that of the chain's pinned USDC.
 *
 * @throws UnknownTypedDataError for an unknown layout, naming its fields; {@link NotUsdcError} when the domain is not that
 * of the chain's USDC; NoUsdcAuthorizationError on Tempo; UnknownNetworkError; InvalidJsonError, UnsafeJsonNumberError,
 * InvalidAddressError, InvalidAmountError, InvalidHexError, MissingFieldError, UnknownFieldError
 * @example
 * ```ts
 * import { parseUsdcAuthorizationMessage } from 'redeemkit/evm'
 * const read = (answer: { message: string }) => parseUsdcAuthorizationMessage(answer.message).authorization.value
 * ```
 */
export function parseUsdcAuthorizationMessage(
  text: string,
  options: parseUsdcAuthorizationMessage.Options = {},
): parseUsdcAuthorizationMessage.ReturnType {
  const { domain, primaryType, message } = readTypedData(checkText(text, 'message'), {
    TransferWithAuthorization: usdcAuthorizationTypes.TransferWithAuthorization.TransferWithAuthorization,
    ReceiveWithAuthorization: usdcAuthorizationTypes.ReceiveWithAuthorization.ReceiveWithAuthorization,
  })
  checkUsdcDomain(domain, options.token)
  return { domain, type: checkAuthorizationType(primaryType), authorization: readAuthorization(message) }
}

export declare namespace parseUsdcAuthorizationMessage {
  type Options = {
    /** A test token that replaces the chain's pinned USDC. */
    token?: UsdcTokenOverride | undefined
  }
  type ReturnType = {
    domain: TypedDataDomain
    type: UsdcAuthorizationType
    authorization: UsdcAuthorization
  }
  type ErrorType =
    | readTypedData.ErrorType
    | NotUsdcError
    | usdcDomain.ErrorType
    | InvalidHexError
    | UnknownAuthorizationTypeError
}

export function checkUsdcDomain(domain: TypedDataDomain, token: UsdcTokenOverride | undefined): void {
  const expected = usdcDomain(domain.chainId, token)
  for (const key of ['verifyingContract', 'name', 'version'] as const)
    if (domain[key] !== expected[key])
      throw new NotUsdcError(
        `The token is not USDC on ${chainText(domain.chainId)}: its ${key === 'verifyingContract' ? 'contract' : key} is ${showValue(domain[key])}, not ${showValue(expected[key])}.`,
        { field: `domain.${key}`, fix: 'Do not sign it: it is for another token.' },
      )
}

/** The typed data is for a token other than the chain's USDC. */
export class NotUsdcError extends BaseError {
  override readonly name = 'NotUsdcError'
}
