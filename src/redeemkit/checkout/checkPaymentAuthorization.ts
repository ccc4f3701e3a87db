import type { Address, Hex } from 'viem'
import { checkAddress } from '../evm/checkAddress.ts'
import { parseUsdcAuthorizationMessage } from '../evm/usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import type { UsdcAuthorization, UsdcAuthorizationType } from '../evm/usdcAuthorization/usdcAuthorization.ts'
import { checkNotExpired, type ExpiredError, parseUint } from '../evm/values.ts'
import { same, sameFields } from '../redeem/check/compare.ts'
import type { UsdcAuthorizationMessage } from '../schema/usdcAuthorization.ts'

/** The expected values. Without a nonce, the service's is accepted, as the caller pinned. */
export type ExpectedAuthorization = {
  chainId: number
  from: Address
  to: Address
  value: bigint
  nonce: Hex | undefined
  /** Undefined: either type. */
  type: UsdcAuthorizationType | undefined
}

/**
 * Compares the answer of `usdc-authorization`, in its typed data and beside it, with what the caller expects.
 *
 * @param now unix seconds
 * @returns the authorization to sign, made of the expected values
 * @throws PreparedMismatchError with `field`; ExpiredError; what {@link parseUsdcAuthorizationMessage} throws
 */
export function checkPaymentAuthorization(
  answer: UsdcAuthorizationMessage,
  expected: ExpectedAuthorization,
  now: bigint,
): { type: UsdcAuthorizationType; authorization: UsdcAuthorization } {
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(answer.message)
  same('domain.chainId', BigInt(expected.chainId), BigInt(domain.chainId))
  if (expected.type !== undefined) same('primaryType', expected.type, type)
  const { validBefore } = authorization
  const wanted: UsdcAuthorization = {
    from: expected.from,
    to: expected.to,
    value: expected.value,
    validAfter: 0n,
    validBefore,
    nonce: expected.nonce ?? authorization.nonce,
  }
  sameFields('message', authorization, wanted)
  const { messageData } = answer
  const shown: UsdcAuthorization = {
    from: checkAddress(messageData.from, 'messageData.from'),
    to: checkAddress(messageData.to, 'messageData.to'),
    value: parseUint(messageData.value, 'messageData.value'),
    validAfter: parseUint(messageData.validAfter, 'messageData.validAfter'),
    validBefore: parseUint(messageData.validBefore, 'messageData.validBefore'),
    nonce: messageData.nonce,
  }
  sameFields('messageData', shown, wanted)
  checkNotExpired(validBefore, now, 'message.validBefore', shortestLifeSeconds)
  return { type, authorization: wanted }
}

export declare namespace checkPaymentAuthorization {
  type ErrorType = parseUsdcAuthorizationMessage.ErrorType | sameFields.ErrorType | ExpiredError
}

/** Minimum remaining validity when signing, as for a permit (PROTOCOL.md 3.3). */
const shortestLifeSeconds = 30n
