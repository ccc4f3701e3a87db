import {
  createMerchantClient,
  createMerchantHandler,
  InvalidWebhookSignatureError,
  StaleWebhookError,
  verifyWebhook,
} from 'redeemkit/merchant'

/** Your server's part of a shop: what its own pages may ask, and what the service tells. */
export function merchantServer(options: {
  baseUrl: string
  merchantId: string
  apiKey: string // from your server's own secrets, and so is the next
  webhookSecret: string
  userOf: (request: Request) => Promise<{ id: string } | undefined> // who is logged in, by your own session
  walletOf: (userId: string) => Promise<string> // gets what the user buys
  priceOf: (cartId: unknown) => Promise<number | undefined> // in cents: a page names its cart, never a price
  // At least once for each event: keep its id together with what you do for it, in one write.
  onPaid: (eventId: string, payment: { paymentId: string; webhookInfo?: unknown }) => Promise<void>
}) {
  const { baseUrl, merchantId, apiKey, webhookSecret, userOf, walletOf, priceOf, onPaid } = options
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey, environment: 'sandbox' })
  const orderOf = async (userId = '', cartId: unknown) => {
    const cents = await priceOf(cartId)
    return cents !== undefined && { subtotal: { cents }, webhookInfo: { userId, cartId } }
  }

  /** GET …/getSessionKey, GET …/getPurchases, POST …/createCheckoutJwt, GET …/getPayment?paymentId= */
  const calls = createMerchantHandler({
    client: merchant,
    authenticate: async (request) => {
      const user = await userOf(request)
      return user ? { userId: user.id } : null
    },
    expose: {
      getSessionKey: true,
      getPurchases: true,
      // Whatever stands in this body is pinned: the page can change none of it.
      createCheckoutJwt: async ({ user, body }) => {
        const order = await orderOf(user.userId, body?.cartId)
        return order && { body: { ...order, purchaseId: String(body?.cartId) } } // a cart is paid once
      },
      mobileAppCheckout: async ({ user, body }) => {
        const order = await orderOf(user.userId, body?.cartId)
        return order && { wallet: await walletOf(user.userId), blockchain: 'base', body: order }
      },
      // Any payment of the shop could be asked for: only the user's own is answered.
      getPayment: async ({ user, asked }) =>
        (await merchant.getPayment(asked())).userId === user.userId && asked(),
    },
  })

  const webhooks = async (request: Request): Promise<Response> => {
    try {
      const event = await verifyWebhook({
        body: await request.text(),
        headers: request.headers,
        secret: webhookSecret,
      })
      if (event.type === 'payment.settled') await onPaid(event.id, event.data)
      return new Response(null, { status: 204 })
    } catch (error) {
      // A stranger's, or one that somebody kept. What else fails is thrown: then the service sends it again.
      if (error instanceof InvalidWebhookSignatureError || error instanceof StaleWebhookError)
        return new Response(null, { status: 400 })
      throw error
    }
  }

  return { merchant, calls, webhooks }
}
