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

/** The same text for the same thing bought by the same customer, whenever its JWT was made, and however the customer is reached. */
export function boughtName(options: PurchaseOptions): string {
  const { jwtToken, email, deviceId, offersSaving, ...bought } = purchaseFacts(options)
  return JSON.stringify({ ...bought, pinned: pinnedBy(options.checkoutJwtToken) })
}

/** What a checkout JWT says beside its own dates; the whole of it where it cannot be read, which the service tells. */
function pinnedBy(jwtToken: string | undefined): unknown {
  try {
    const [, payload = ''] = jwtToken?.split('.') ?? []
    const { iat, exp, nbf, jti, ...pinned } = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
    return pinned
  } catch {
    return jwtToken
  }
}
