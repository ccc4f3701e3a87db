import type { PurchaseOptions } from './purchaseOptions.ts'

/** What the form is told beside the key and its look, as plain data. */
export function purchaseFacts(options: PurchaseOptions): Record<string, unknown> {
  const { order, checkoutJwtToken: jwtToken, purchaseId, environment, wallet, blockchain } = options
  const { userId, deviceId, email, offersSaving } = options
  const named = { jwtToken, purchaseId, environment, wallet, blockchain, userId, deviceId, email }
  return JSON.parse(JSON.stringify({ order, offersSaving, ...named }))
}

/** The same text for the same purchase. */
export function purchaseName(options: PurchaseOptions): string {
  return JSON.stringify(purchaseFacts(options))
}
