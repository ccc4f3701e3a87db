import type { CreditPermit } from '../../evm/creditPermit/creditPermit.ts'
import type { RedeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import {
  parseUsdcAuthorizationMessage,
  readAuthorization,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
} from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import type { CreditsAuthMsgResponse } from '../../schema/redeem.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import { same, sameFields } from './compare.ts'

export type CheckedUsdc = { type: UsdcAuthorizationType; authorization: UsdcAuthorization }

/**
 * The authorization must match the request (PROTOCOL.md 5.4). If the service omits it (2.2), it is built from the caller's own terms. An
 * intent-bound permit requires `ReceiveWithAuthorization`, because anyone could execute a `TransferWithAuthorization` alone.
 */
export function checkUsdcAuthorization(
  { wallet, pinned }: RedeemTerms,
  { usdcAmount, usdc }: RedeemIntent,
  { validBefore, nonce }: CreditPermit,
  answer: CreditsAuthMsgResponse,
  intentBound: boolean,
): CheckedUsdc | undefined {
  const asked = answer.usdcAuthorization
  const expected: UsdcAuthorization = {
    from: wallet,
    to: pinned.creditsContract,
    value: usdcAmount,
    validAfter: 0n,
    validBefore,
    nonce,
  }
  if (usdcAmount === 0n || usdc === undefined) {
    same('usdcAuthorization', 'absent', asked === undefined ? 'absent' : 'present')
    return undefined
  }
  const required = intentBound ? 'ReceiveWithAuthorization' : pinned.usdcAuthorizationType
  if (asked === undefined) return { type: required ?? 'ReceiveWithAuthorization', authorization: expected }
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(asked.message)
  if (required !== undefined) same('usdcAuthorization.message.primaryType', required, type)
  // The parser compared the rest of the domain with the pinned USDC of that chain.
  same('usdcAuthorization.message.domain.chainId', usdc.chainId, domain.chainId)
  sameFields('usdcAuthorization.message', authorization, expected)
  const field = 'usdcAuthorization.messageData'
  sameFields(field, readAuthorization(asked.messageData, `${field}.`), expected)
  return { type, authorization }
}

export declare namespace checkUsdcAuthorization {
  type ErrorType = parseUsdcAuthorizationMessage.ErrorType | sameFields.ErrorType
}
