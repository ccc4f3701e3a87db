import { cardCheckout, createPaymentsClient, isServiceError } from 'redeemkit'
import { createMerchantClient, verifyWebhook } from 'redeemkit/merchant'

export function createShop({ baseUrl, merchantId, apiKey, webhookSecret, fulfil }) {
  const merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
  const paid = new Set()
  return {
    async buy({ userId, wallet, orderId, cardToken, approve }) {
      const client = createPaymentsClient({
        baseUrl,
        merchantId,
        blockchain: 'base',
        userId,
        wallet,
        deviceId: `device of ${userId}`,
        sessionKey: async () => (await merchant.getSessionKey({ userId, wallet, blockchain: 'base' })).key,
      })
      const body = {
        subtotal: { cents: 1000, currency: 'USD' },
        settlementType: 'Credits',
        webhookInfo: { orderId },
        chargebackProtectionData: [{ productName: 'Credits', productType: 'topUp', quantity: 1 }],
        card: { cardToken },
      }
      try {
        return await cardCheckout(client, body)
      } catch (error) {
        const challenge = isServiceError(error) ? error.challenge : undefined
        if (challenge?.transactionId === undefined) throw error
        await approve(challenge.url)
        const { transactionId } = challenge
        return cardCheckout(client, { ...body, authentication3DS: { transactionId } })
      }
    },
    async webhook(request) {
      try {
        const { headers } = request
        const event = await verifyWebhook({ body: await request.text(), headers, secret: webhookSecret })
        if (event.type !== 'payment.settled') return new Response(null, { status: 204 })
        const { orderId } = event.data.webhookInfo
        if (paid.has(orderId)) return new Response(null, { status: 204 })
        paid.add(orderId)
        await fulfil(orderId)
        return new Response(null, { status: 204 })
      } catch {
        return new Response(null, { status: 400 })
      }
    },
  }
}
