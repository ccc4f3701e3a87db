import { isRecord, type Start, textOf } from './channel.ts'

export type Order = {
  fields: Record<string, unknown>
  /** Identifies the order: equal for the same order even if its JWT was signed again. */
  name: string
  /** Whether the bank only authorizes the amount and does not capture it. */
  authOnly: boolean
  email: string | undefined
}

/** Reads the page's request with the values of its checkout JWT, for display only. The service verifies the JWT. */
export function readOrder({ order, jwtToken, email }: Start): Order {
  const pinned = readPinned(jwtToken)
  const token = jwtToken === undefined ? {} : { jwtToken }
  return {
    fields: { ...(pinned.subtotal !== undefined && { subtotal: pinned.subtotal }), ...order, ...token },
    name: JSON.stringify([pinned, order]),
    authOnly: (order.authOnly ?? pinned.authOnly) === true,
    email: email ?? emailOf(pinned) ?? emailOf(order),
  }
}

export function priceFields({ fields }: Order): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !ofCards.has(name)))
}

const ofCards = new Set([
  'authOnly',
  'statementDescriptor',
  'threeDsChallengePreference',
  'accountFundingTransaction',
  'chargebackProtectionAccountType',
])

function readPinned(jwtToken: string | undefined): Record<string, unknown> {
  try {
    const [, payload = ''] = jwtToken?.split('.') ?? []
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (one) =>
      one.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isRecord(claims) && isRecord(claims.checkout) ? claims.checkout : {}
  } catch {
    // The service reports what is wrong with the JWT.
    return {}
  }
}

function emailOf({ email, customerInfo }: Record<string, unknown>): string | undefined {
  return textOf(email, 256) ?? (isRecord(customerInfo) ? textOf(customerInfo.email, 256) : undefined)
}
