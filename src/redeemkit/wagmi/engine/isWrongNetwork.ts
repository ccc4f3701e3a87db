import { messageKey } from '../../core/userMessage/messageKey.ts'
import { isOpenRedeemError } from '../../redeem/isOpenRedeemError.ts'

/** Returns whether an error means that the wallet, not a node, is on another chain. Includes open redeems that need another signature. */
export function isWrongNetwork(error: unknown): boolean {
  const cause = isOpenRedeemError(error) ? error.cause : error
  return messageKey(cause, { isPayment: true }) === 'WrongNetworkError'
}
