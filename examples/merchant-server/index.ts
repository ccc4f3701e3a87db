import { createMerchantClient, createMerchantHandler, verifyWebhook } from 'redeemkit/merchant'

/** Your server's part of a shop: what its own pages may ask, and what the service tells. */
export function merchantServer(options: {
  baseUrl: string
  merchantId: string
  apiKey: string // from your server's own secrets, and so is the next
  webhookSecret: string
  userOf: (request: Request) => Promise<{ id: string } | undefined> // who is logged in, by your own session
  priceOf: (cartId: unknown) => Promise<number> // in cents: a page names its cart, never a price
  onPaid: (payment: { paymentId: string; webhookInfo?: unknown }) => Promise<void> // perhaps twice
}) {
  const { baseUrl, merchantId, apiKey, webhookSecret, userOf, priceOf, onPaid } = options
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey, environment: 'sandbox' })

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
      createCheckoutJwt: async ({ user, body }) => ({
        body: { subtotal: { cents: await priceOf(body?.cartId) }, webhookInfo: { userId: user.userId } },
      }),
      // Any payment of the shop could be asked for: only the user's own is answered.
      getPayment: async ({ user, asked }) =>
        (await merchant.getPayment(asked())).userId === user.userId && asked(),
    },
  })

  const webhooks = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook({
      body: await request.text(),
      headers: request.headers,
      secret: webhookSecret,
    })
    if (event.type === 'payment.settled') await onPaid(event.data)
    return new Response(null, { status: 204 })
  }

  return { merchant, calls, webhooks }
}
