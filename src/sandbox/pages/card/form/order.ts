import { isRecord, type Start, textOf } from './channel.ts'

/** What is bought, and what is known of the customer already. */
export type Order = {
  /** Of the checkout's body. */
  fields: Record<string, unknown>
  /** The same text for the same order, whenever its JWT was made. */
  name: string
  /** The bank is asked only to hold the money. */
  authOnly: boolean
  email: string | undefined
}

/** What the page asks for, with what a checkout JWT pins: read to be shown. The service is the one that checks it. */
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

/** A body of totals has what decides the price, and nothing of how a card pays. */
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
    // The service says what is wrong with it.
    return {}
  }
}

function emailOf({ email, customerInfo }: Record<string, unknown>): string | undefined {
  return textOf(email, 256) ?? (isRecord(customerInfo) ? textOf(customerInfo.email, 256) : undefined)
}
