import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { readTypedData } from '../eip712/readTypedData.ts'
import type { TypedDataDomain } from '../eip712/typedData.ts'
import { chainText } from '../findingTexts.ts'
import type { UsdcTokenOverride } from '../usdcToken.ts'
import { checkText, type InvalidHexError } from '../values.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization.ts'
import {
  checkAuthorizationType,
  readAuthorization,
  type UnknownAuthorizationTypeError,
  usdcAuthorizationTypes,
  usdcDomain,
} from './usdcAuthorization.ts'

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
