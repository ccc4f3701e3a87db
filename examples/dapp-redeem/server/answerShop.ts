import { createMerchantClient, createMerchantHandler } from 'redeemkit/merchant'
import { creditPacks } from '../src/catalogue/creditPacks.ts'
import type { ShopConfig } from '../src/config/shopConfig.ts'
import { createSessions } from './sessions.ts'

/**
 * The shop's own server: its configuration, its sessions, and the merchant's calls that its page may ask. The API key stays here.
 *
 * @returns a fetch handler; `undefined` for what is the page's own
 */
export function answerShop(options: { config: ShopConfig; apiKey: string }) {
  const { config, apiKey } = options
  const { baseUrl, merchantId, blockchain, environment } = config
  const sessions = createSessions({ baseUrl, merchantId, blockchain })
  const calls = createMerchantHandler({
    client: createMerchantClient({ baseUrl, merchantId, apiKey, environment }),
    authenticate: sessions.memberOf,
    expose: {
      // For the card form, which is the payments service's own frame.
      getSessionKey: true,
      // What a member has joined.
      getCustomerSubscriptions: true,
      // What is bought, pinned: the page names a pack and its order, and never a price or who gets the credits.
      createCheckoutJwt: ({ body }) => {
        const pack = creditPacks.find(({ id }) => id === body?.pack)
        if (pack === undefined) return false
        return {
          body: {
            purchaseId: `credits ${String(body?.orderId)}`,
            subtotal: { cents: pack.cents, currency: 'USD' },
            settlementType: 'Credits',
            webhookInfo: { orderId: String(body?.orderId) },
          },
        }
      },
    },
    onError: (error, { call }) => console.error(`The shop's server could not do ${call ?? 'a call'}.`, error),
  })
  return (request: Request): Promise<Response> | Response | undefined => {
    const { pathname } = new URL(request.url)
    if (pathname === '/shop.json') return Response.json(config, { headers: { 'cache-control': 'no-store' } })
    if (pathname === '/session') return sessions.answer(request)
    if (pathname.startsWith('/shop-api/')) return calls(request)
    return undefined
  }
}
