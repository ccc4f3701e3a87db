import {
  type DisclosedIntent,
  mostIntentBytes,
  redeemIntentVersion,
} from '../../evm/creditPermit/disclosedIntent.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'

/**
 * Returns the purchase as a wallet may see it (PROTOCOL.md 4.7): what it needs to compute the nonce, and nothing else of the
 * request. `undefined` for a nonce that commits to nothing, and for a purchase that is too large.
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
  // A copy: some wallets change their parameters.
  return new TextEncoder().encode(text).length > mostIntentBytes ? undefined : JSON.parse(text)
}
