import {
  cardCheckout,
  createPaymentsClient,
  findPayments,
  getTotals,
  isServiceError,
  PaymentOutcomeUnknownError,
  pixCheckout,
  type ServiceError,
  wireTokenCheckout,
} from 'redeemkit'

/** Created once per logged-in customer, because it holds the session key. */
export function customerClient(options: {
  baseUrl: string
  sessionKey: () => Promise<string> // asks your own server, which has the API key
  userId: string // your own id for the customer
  wallet: string // receives the credits
  deviceId: string // a random id that this browser keeps, for chargeback protection
}) {
  return createPaymentsClient({ ...options, merchantId: 'sandbox-shop', blockchain: 'base' })
}

/** Sells 10 dollars of credits by card, wire or Pix. */
export async function sellCredits(options: {
  client: ReturnType<typeof customerClient>
  orderId: string
  by: { cardToken: string } | { wireAccount: string } | { pixEmail: string } // tokens, never numbers
  confirm: (totalCents: number | undefined) => Promise<boolean>
  /** Shows 3DS, and resolves when the customer has completed it. */
  showChallenge: (challenge: NonNullable<ServiceError['challenge']>) => Promise<void>
}) {
  const { client, by } = options
  const order = {
    subtotal: { cents: 1000, currency: 'USD' },
    settlementType: 'Credits',
    chargebackProtectionData: [{ productName: '10 dollars of credits', productType: 'topUp', quantity: 1 }],
    webhookInfo: { orderId: options.orderId }, // returned in your server's webhooks
  } satisfies Partial<cardCheckout.Body>
  const { card, wire, pix } = await getTotals(client, order)
  const totals = 'cardToken' in by ? card : 'wireAccount' in by ? wire : pix
  if (!(await options.confirm(totals?.total.cents))) return undefined

  // Bank details, valid for 5 minutes. A webhook notifies your server when the money arrives.
  if ('wireAccount' in by) return wireTokenCheckout(client, { ...order, token: by.wireAccount })
  if ('pixEmail' in by) return pixCheckout(client, { ...order, email: by.pixEmail })

  const body: cardCheckout.Body = { ...order, card: { cardToken: by.cardToken } }
  try {
    return await cardCheckout(client, body).catch(async (error) => {
      const challenge = isServiceError(error) ? error.challenge : undefined
      if (challenge?.transactionId === undefined) throw error
      await options.showChallenge(challenge)
      const { transactionId } = challenge
      return cardCheckout(client, { ...body, authentication3DS: { transactionId } })
    })
  } catch (error) {
    if (!(error instanceof PaymentOutcomeUnknownError)) throw error
    return { perhaps: await findPayments(client, error) } // do not pay again until the outcome is known
  }
}
