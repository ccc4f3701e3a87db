import type { PurchaseOptions } from './purchaseOptions.ts'
import { readPurchaseId } from './readPurchaseId.ts'

/** What the form is told beside the key and its look, as plain data. */
export function purchaseFacts(options: PurchaseOptions): Record<string, unknown> {
  const { order, checkoutJwtToken: jwtToken, environment, wallet, blockchain } = options
  const { userId, deviceId, email, offersSaving } = options
  const purchaseId = readPurchaseId(options)
  const named = { jwtToken, purchaseId, environment, wallet, blockchain, userId, deviceId, email }
  return JSON.parse(JSON.stringify({ order, offersSaving, ...named }))
}

/** The same text for the same purchase. */
export function purchaseName(options: PurchaseOptions): string {
  return JSON.stringify(purchaseFacts(options))
}
