import { messageKey } from '../../core/userMessage/messageKey.ts'
import { isOpenRedeemError } from '../../redeem/openRedeem.ts'

/** Whether an error says that the wallet, and not a node, is on another chain: also where a permit has left, and another one is needed. */
export function isOfWrongNetwork(error: unknown): boolean {
  const cause = isOpenRedeemError(error) ? error.cause : error
  return messageKey(cause, { isPayment: true }) === 'WrongNetworkError'
}
