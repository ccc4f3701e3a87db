import {
  createMerchantClient,
  createMerchantHandler,
  InvalidWebhookSignatureError,
  type MerchantClient,
  StaleWebhookError,
  verifyWebhook,
} from 'redeemkit/merchant'
import type { MobileAppBody } from 'redeemkit/schema'
import type { Order, OrderBook, Refund } from './orderBook.ts'

/** Creates the shop's server: calls for its own pages, and webhooks that pay for orders. */
export function merchantServer(options: {
  baseUrl: string
  merchantId: string
  apiKey: string // from your server's secrets, like `webhookSecret`
  webhookSecret: string
  userOf: (request: Request) => Promise<{ id: string } | undefined> // returns the user of your own session
  walletOf: (userId: string) => Promise<string> // receives the purchase
  orders: OrderBook // your database; a page passes an order ID, never a price
  fulfil: (order: Order) => Promise<void> // called again after a crash: use the order's id as idempotency key
  onError: (error: unknown) => void // errors of fulfilments and refunds, which are retried
}) {
  const { baseUrl, merchantId, apiKey, webhookSecret, userOf, walletOf, orders, fulfil, onError } = options
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey, environment: 'sandbox' })
  const checkoutOf = async (userId = '', orderId: unknown) => {
    const order = await orders.find(String(orderId))
    if (order?.userId !== userId || order.state !== 'open') return false
    const { id, item, amount, settlementType } = order
    const subtotal = { cents: Number(amount / 10_000n), currency: 'USD' }
    return {
      subtotal,
      settlementType,
      chargebackProtectionData: [{ productName: item, productType: 'digitalContent', quantity: 1 }],
      webhookInfo: { orderId: id },
    } satisfies MobileAppBody
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
      // The JWT pins this body, so the page cannot change it.
      createCheckoutJwt: async ({ user, body }) => {
        const checkout = await checkoutOf(user.userId, body?.orderId)
        return checkout && { body: { ...checkout, purchaseId: checkout.webhookInfo.orderId } }
      },
      mobileAppCheckout: async ({ user, body }) => {
        const checkout = await checkoutOf(user.userId, body?.orderId)
        return checkout && { wallet: await walletOf(user.userId), blockchain: 'base', body: checkout }
      },
      // Pages may read only payments of their own user.
      getPayment: async ({ user, asked }) =>
        (await merchant.getPayment(asked())).userId === user.userId && asked(),
    },
  })

  return { merchant, calls, ...orderWebhooks({ merchant, webhookSecret, orders, fulfil, onError }) }
}

// #region webhooks
/** Handles webhooks. Each order is fulfilled once, even if a webhook arrives several times. */
export function orderWebhooks(options: {
  merchant: MerchantClient
  webhookSecret: string
  orders: OrderBook
  fulfil: (order: Order) => Promise<void>
  onError: (error: unknown) => void
}) {
  const { merchant, webhookSecret, orders, fulfil, onError } = options
  /** Fulfils paid orders and makes due refunds. Call it at startup and every minute. */
  const work = () => orders.work({ fulfil, refund: (refund) => giveBack(merchant, refund) }).catch(onError)

  const webhooks = async (request: Request): Promise<Response> => {
    try {
      const event = await verifyWebhook({
        body: await request.text(),
        headers: request.headers,
        secret: webhookSecret,
      })
      // Both functions write to the database first. After an error, the service resends the event.
      if (event.type === 'redeem.redeemed') await orders.redeemed(event.data)
      if (event.type === 'payment.settled') await orders.settled(event.data)
      void work()
      return new Response(null, { status: 204 })
    } catch (error) {
      if (error instanceof InvalidWebhookSignatureError || error instanceof StaleWebhookError)
        return new Response(null, { status: 400 })
      throw error
    }
  }

  return { webhooks, work }
}

/** Refunds card payments to the card and redeems in credits. The same id never refunds twice. */
async function giveBack(merchant: MerchantClient, refund: Refund): Promise<'done' | 'pending' | 'failed'> {
  const idempotencyKey = `refund ${refund.id}`
  if ('paymentId' in refund) {
    const { paymentId } = refund
    const { jobId, status } = await merchant.refundPayment({ paymentId, body: { idempotencyKey } })
    return outcomeOf(jobId === undefined ? { status } : await merchant.getJobStatus({ jobId }))
  }
  const { wallet, blockchain, amount } = refund
  const { jobId } = await merchant.mintCredits({
    body: { wallet, blockchain, amount: { cents: Number(amount / 10_000n) }, idempotencyKey },
  })
  return outcomeOf(await merchant.getJobStatus({ jobId }))
}

function outcomeOf({ status }: { status?: string | undefined }): 'done' | 'pending' | 'failed' {
  if (status === 'completed') return 'done'
  return status === 'failed' ? 'failed' : 'pending'
}
// #endregion
