import { randomUUID } from 'node:crypto'
import { createMerchantClient, createMerchantHandler } from 'redeemkit/merchant'
import { orderWebhooks } from '../../merchant-server/index.ts'
import type { OrderBook } from '../../merchant-server/orderBook.ts'
import type { ShopConfig } from '../src/config.tsx'
import { createSessions } from './sessions.ts'
import { answerOrders } from './shopOrders.ts'

/**
 * Creates the shop's server: configuration, sessions, orders, webhooks, and the merchant calls that its page may make. The API key stays
 * here.
 *
 * @returns a fetch handler that returns `undefined` for the page's static files
 */
export function answerShop(options: {
  config: ShopConfig
  apiKey: string
  webhookSecret: string
  orders: OrderBook
}) {
  const { config, apiKey, webhookSecret, orders } = options
  const { baseUrl, merchantId, blockchain, environment } = config
  const sessions = createSessions({ baseUrl, merchantId, blockchain })
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey, environment })
  const calls = createMerchantHandler({
    client: merchant,
    authenticate: sessions.memberOf,
    expose: {
      // Needed for the card form, which is an iframe of the payments service.
      getSessionKey: true,
      getCustomerSubscriptions: true,
      // The JWT pins this body. The page names only its order, not a price or a wallet.
      createCheckoutJwt: async ({ user, body }) => {
        if (body?.isCardCheck === true) return { body: { purchaseId: randomUUID(), ...cardCheck } }
        const order = await orders.find(String(body?.orderId))
        const { id, item, settlementType } = order ?? {}
        const isOwn = order?.userId === user.wallet?.toLowerCase()
        if (order?.state !== 'open' || !isOwn || id === undefined || settlementType === undefined)
          return false
        const cart = { productName: item ?? '', productType: 'topUp', quantity: 1 } as const
        const subtotal = { cents: Number(order.amount / 10_000n), currency: 'USD' } as const
        const webhookInfo = { orderId: id }
        return {
          body: {
            purchaseId: id,
            subtotal,
            settlementType,
            chargebackProtectionData: [cart],
            webhookInfo,
          },
        }
      },
    },
    onError: (error, { call }) => console.error(`The shop's server failed at ${call ?? 'a call'}.`, error),
  })
  const { webhooks } = orderWebhooks({
    merchant,
    webhookSecret,
    orders,
    // The contract has already minted the moth, or the service has minted the credits. A shop that ships goods does so here.
    fulfil: async () => {},
    onError: (error) => console.error('The shop’s server could not fulfil or refund an order.', error),
  })

  /** Also voids a card check after the bank has authorized it. */
  async function receive(request: Request): Promise<Response> {
    const answer = await webhooks(request.clone())
    // The signature was valid.
    const { type, data } = answer.ok ? await request.json() : {}
    if (type === 'payment.authorized' && data.authOnly === true) {
      const { paymentId, status } = await merchant.getPayment({ paymentId: data.paymentId })
      if (status === 'authorized') await merchant.voidPayment({ body: { paymentId } })
    }
    return answer
  }

  /** Cancels a subscription of the member: `DELETE /subscriptions/{id}`. */
  async function cancelSubscription(request: Request, id: string): Promise<Response> {
    if (request.method !== 'DELETE') return new Response(null, { status: 405, headers: { allow: 'DELETE' } })
    const member = sessions.memberOf(request)
    if (member === undefined) return new Response(null, { status: 401 })
    const { key: sessionKey } = await merchant.getSessionKey(member)
    const own = await merchant.getCustomerSubscriptions({ ...member, sessionKey })
    if (!own.some((one) => one.id === id)) return new Response(null, { status: 404 })
    // The API cannot cancel a subscription. In production, the merchant cancels it in its account at the service.
    const { ok } = await fetch(`${baseUrl}/sandbox/subscription/subscribers/${id}/cancel`, {
      method: 'POST',
      headers: { authorization: apiKey },
    })
    return new Response(null, { status: ok ? 204 : 502 })
  }

  const answerOrder = answerOrders({ config, orders, memberOf: sessions.memberOf })
  return (request: Request): Promise<Response> | Response | undefined => {
    const { pathname } = new URL(request.url)
    if (pathname === '/shop.json') return Response.json(config, { headers: { 'cache-control': 'no-store' } })
    if (pathname === '/session') return sessions.answer(request)
    if (pathname === '/webhooks') return receive(request)
    if (pathname === '/orders' || pathname.startsWith('/orders/')) return answerOrder(request)
    if (pathname.startsWith('/subscriptions/'))
      return cancelSubscription(request, pathname.slice('/subscriptions/'.length))
    if (pathname.startsWith('/shop-api/')) return calls(request)
    return undefined
  }
}

/** A card check: a payment that is authorized and then voided, so the card is not charged. */
const cardCheck = {
  subtotal: { cents: 100, currency: 'USD' as const },
  authOnly: true,
  chargebackProtectionData: [
    { productName: 'Card check', productType: 'subscription' as const, quantity: 1 },
  ],
}
