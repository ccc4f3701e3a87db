import { InvalidWebhookSignatureError, StaleWebhookError, verifyWebhook } from 'redeemkit/merchant'
import { recordPayment, recordRedeem } from './yourShop.ts' // your database

/** Receives the service's events. */
export async function webhooks(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook({
      body: await request.text(), // the raw body
      headers: request.headers,
      secret: process.env.WEBHOOK_SECRET ?? '',
    })
    // Each handler writes to the database, then returns. Fulfil the order later, in a separate job.
    if (event.type === 'redeem.redeemed') await recordRedeem(event.data)
    if (event.type === 'payment.settled') await recordPayment(event.data)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof InvalidWebhookSignatureError || error instanceof StaleWebhookError)
      return new Response(null, { status: 400 })
    throw error // Your framework returns 500, and the service sends the event again.
  }
}
