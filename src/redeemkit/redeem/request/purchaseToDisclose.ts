import {
  type DisclosedIntent,
  mostIntentBytes,
  redeemIntentVersion,
} from '../../evm/creditPermit/disclosedIntent.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'

/**
 * Discloses only the fields from which the nonce is computed (PROTOCOL.md 4.7). Returns `undefined` for a random nonce or a purchase that is
 * too large.
 */
export function purchaseToDisclose(prepared: PreparedRedeem): DisclosedIntent | undefined {
  if (!prepared.intentBound) return undefined
  const { merchantId, purchaseId, salt, request } = prepared
  const { subtotal, usdcAmount, transactionData } = request
  const text = JSON.stringify({
    version: redeemIntentVersion,
    merchantId,
    purchaseId,
    salt,
    request: { subtotal, usdcAmount, transactionData },
  })
  // A copy, because some wallets change their parameters.
  return new TextEncoder().encode(text).length > mostIntentBytes ? undefined : JSON.parse(text)
}
