import { serve } from '@hono/node-server'
import { InvalidWebhookSignatureError, orderKey, StaleWebhookError, verifyWebhook } from 'redeemkit/merchant'
import type { RedeemEventData } from 'redeemkit/schema'

const { env } = process // the values that the sandbox wrote to .env, and the webhook secret

// One order, in memory. Your own server creates random IDs and stores orders in a database.
const order = {
  key: orderKey({ merchantId: env.REDEEMKIT_MERCHANT_ID ?? '', purchaseId: 'order 1' }),
  amount: 10_000_000n, // raw units: 10 dollars
  receiver: env.REDEEMKIT_BOB_ADDRESS, // the shop's wallet
  isFulfilled: false,
}

/** Whether a redeem pays for the order. The order key alone proves neither the receiver nor the amount. */
function isPaidBy(redeem: RedeemEventData): boolean {
  return (
    redeem.orderKey === order.key &&
    redeem.chainId === Number(env.REDEEMKIT_BASE_CHAIN_ID) &&
    isSame(redeem.creditsContract, env.REDEEMKIT_BASE_CREDITS_CONTRACT) &&
    redeem.creditSeed === env.REDEEMKIT_CREDIT_SEED &&
    redeem.kind === 'token' &&
    isSame(redeem.receiver, order.receiver) &&
    BigInt(redeem.amount ?? 0) - BigInt(redeem.refunded ?? 0) === order.amount
  )
}
const isSame = (address = '', other = '') => address.toLowerCase() === other.toLowerCase()

/** Receives the service's events. One event can arrive several times. */
async function webhooks(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook({
      body: await request.text(), // the raw body
      headers: request.headers,
      secret: env.WEBHOOK_SECRET ?? '',
    })
    if (event.type === 'redeem.redeemed' && isPaidBy(event.data) && !order.isFulfilled) {
      order.isFulfilled = true
      console.log('order 1 is paid: deliver it')
    }
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof InvalidWebhookSignatureError || error instanceof StaleWebhookError)
      return new Response(null, { status: 400 })
    throw error // Returns 500, so that the service sends the event again.
  }
}

export const server = serve({ fetch: webhooks, port: Number(env.PORT ?? 3000) }, ({ port }) =>
  console.log(`Listening on http://localhost:${port}`),
)
