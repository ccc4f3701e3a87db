import { createMerchantClient, createMerchantHandler } from 'redeemkit/merchant'
import { findOrder, userOf } from './yourShop.ts' // your session and your database

export const merchant = createMerchantClient({
  baseUrl: process.env.REDEEMKIT_URL ?? '',
  merchantId: process.env.REDEEMKIT_MERCHANT_ID ?? '',
  apiKey: process.env.REDEEMKIT_API_KEY ?? '',
})

/** Handles the calls of your own pages. The last part of the path names the call. */
export const calls = createMerchantHandler({
  client: merchant,
  authenticate: async (request) => {
    const user = await userOf(request)
    return user ? { userId: user.id } : null // null: 401
  },
  expose: {
    // Handles GET …/getSessionKey and GET …/getPurchases for the logged-in user.
    getSessionKey: true,
    getPurchases: true,
    // handles POST …/createCheckoutJwt: the page passes an order ID, and your database knows the price
    createCheckoutJwt: async ({ user, body }) => {
      const order = await findOrder(user.userId, body?.orderId)
      if (order === undefined) return false // 403
      return {
        body: {
          purchaseId: order.id,
          subtotal: { cents: order.cents, currency: 'USD' },
          settlementType: 'USDC',
          chargebackProtectionData: [{ productName: 'Course', productType: 'digitalContent', quantity: 1 }],
          webhookInfo: { orderId: order.id },
        },
      }
    },
  },
  onError: (error, { call, requestId }) => console.error(call, requestId, error),
})
