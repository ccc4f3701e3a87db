import { messageKey } from '../../core/userMessage/messageKey.ts'

/** Whether an error says that the wallet, and not a node, is on another chain. */
export function isOfWrongNetwork(error: unknown): boolean {
  return messageKey(error, { isPayment: true }) === 'WrongNetworkError'
}
