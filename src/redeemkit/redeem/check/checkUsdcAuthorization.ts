import { checkAddress } from '../../evm/checkAddress.ts'
import type { CreditPermit } from '../../evm/creditPermit/creditPermit.ts'
import type { RedeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { parseUsdcAuthorizationMessage } from '../../evm/usdcAuthorization/parseUsdcAuthorizationMessage.ts'
import type {
  UsdcAuthorization,
  UsdcAuthorizationType,
} from '../../evm/usdcAuthorization/usdcAuthorization.ts'
import { parseUint } from '../../evm/values.ts'
import type { CreditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import { same, sameFields } from './sameFields.ts'

/** A USDC authorization that is exactly what the request says. */
export type CheckedUsdc = { type: UsdcAuthorizationType; authorization: UsdcAuthorization }

/**
 * The authorization is exactly what the request says (PROTOCOL.md 5.4), and is there when, and only when, USDC is paid. A
 * service that knows no bound nonces may leave it out: then it is built from the caller's own terms.
 *
 * With an intent-bound permit only `ReceiveWithAuthorization` is accepted: anyone could execute a transfer of an attempt that lost.
 */
export function checkUsdcAuthorization(
  { wallet, pinned }: RedeemTerms,
  { usdcAmount, usdc }: RedeemIntent,
  { validBefore, nonce }: CreditPermit,
  answer: CreditsAuthMsgResponse,
  bound: boolean,
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
  if (asked === undefined && usdc !== undefined && usdcAmount > 0n && pinned.intentBound === false)
    return { type: pinned.usdcAuthorizationType ?? 'ReceiveWithAuthorization', authorization: expected }
  if (usdcAmount === 0n || usdc === undefined || asked === undefined) {
    same(
      'usdcAuthorization',
      usdcAmount === 0n ? 'absent' : 'present',
      asked === undefined ? 'absent' : 'present',
    )
    return undefined
  }
  const { domain, type, authorization } = parseUsdcAuthorizationMessage(asked.message)
  const required = bound ? 'ReceiveWithAuthorization' : pinned.usdcAuthorizationType
  if (required !== undefined) same('usdcAuthorization.message.primaryType', required, type)
  // The reader has held the rest of the domain against the pinned USDC of that chain.
  same('usdcAuthorization.message.domain.chainId', usdc.chainId, domain.chainId)
  sameFields('usdcAuthorization.message', authorization, expected)
  const { from, to, value, ...shown } = asked.messageData
  const field = 'usdcAuthorization.messageData'
  const data: UsdcAuthorization = {
    from: checkAddress(from, `${field}.from`),
    to: checkAddress(to, `${field}.to`),
    value: parseUint(value, `${field}.value`),
    validAfter: parseUint(shown.validAfter, `${field}.validAfter`),
    validBefore: parseUint(shown.validBefore, `${field}.validBefore`),
    nonce: shown.nonce,
  }
  sameFields(field, data, expected)
  return { type, authorization }
}

export declare namespace checkUsdcAuthorization {
  type ErrorType = parseUsdcAuthorizationMessage.ErrorType | sameFields.ErrorType
}
