import type { Hono } from 'hono'
import usdcTable from '../../vectors/usdc.json' with { type: 'json' }
import { bodyOf, type Customers } from './describedRequests.ts'
import { randomBytes32 } from './redeemAnswers.ts'

/** Routes of the description: the mobile app's, and those for USDC authorizations, wires, Pix and cards. */
export function checkoutRoutes(
  app: Hono,
  means: { known: Customers; receiver: string; mobileApp: string; now: () => number },
): void {
  const { known, receiver, mobileApp, now } = means
  const quote = { cents: 1_000, currency: 'USD' }
  const expires = () => new Date(now() + 300_000).toISOString()

  // Times are strings here; in a signed authorization, they may be numbers.
  app.post('/api/checkout/evm/usdc-authorization', async (context) => {
    const from = known.walletOf(context)
    const { amount } = await bodyOf(context, 'usdcAuthorization')
    const messageData = {
      nonce: randomBytes32(),
      validBefore: String(Math.floor(now() / 1000) + 3_600),
      validAfter: '0',
      value: String(amount.cents * 10_000),
      to: receiver,
      from,
    }
    return Response.json({ message: JSON.stringify(transferWithAuthorization(messageData)), messageData })
  })

  app.post('/api/checkout/wire/token', async (context) => {
    known.customerOf(context)
    await bodyOf(context, 'wireToken')
    return Response.json({
      address: { address1: '1 Main St', city: 'Chicago', state: 'IL', zip: '60601', country: 'US' },
      account_number: '000123456789',
      wireRoutingNumber: '026009593',
      paymentId: 'payment-wire',
      recipientName: 'A Bank',
      memo: 'M-1',
      amount: quote,
      expires: expires(),
    })
  })

  app.post('/api/checkout/pix', async (context) => {
    known.customerOf(context)
    await bodyOf(context, 'pix')
    return Response.json({ paymentId: 'payment-pix', brCode: '00020126', quote, expires: expires() })
  })

  // The description has the app's name in the path and in the name of the link field.
  app.post(`/api/checkout/${mobileApp}/:merchantId`, async (context) => {
    known.customerOf(context)
    await bodyOf(context, 'mobileApp')
    const link = { [`${mobileApp}Link`]: 'https://app.example/pay/1' }
    return Response.json({ expiresAt: expires(), ...link, paymentId: 'payment-app' })
  })

  app.post('/api/checkout/card/:merchantId', async (context) => {
    known.customerOf(context)
    await bodyOf(context, 'card')
    // The response never has a status.
    return Response.json({ paymentId: 'payment-card', authorizationExpiration: expires() })
  })

  // The description says: 200 "Successful response", without content.
  app.post('/api/checkout/void', async (context) => {
    known.checkApiKey(context)
    await bodyOf(context, 'void')
    return new Response('')
  })
}

/** From the guide "complete-purchases-with-usdc-credits", which accompanies the description. */
function transferWithAuthorization(message: Record<string, unknown>) {
  const field = (name: string, type: string) => ({ name, type })
  const usdc = usdcTable.tokens.find(({ chainId }) => chainId === 84532)
  return {
    types: {
      EIP712Domain: [
        field('name', 'string'),
        field('version', 'string'),
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      TransferWithAuthorization: [
        field('from', 'address'),
        field('to', 'address'),
        field('value', 'uint256'),
        field('validAfter', 'uint256'),
        field('validBefore', 'uint256'),
        field('nonce', 'bytes32'),
      ],
    },
    domain: {
      name: usdc?.name,
      version: usdcTable.version,
      chainId: 84532,
      verifyingContract: usdc?.address,
    },
    primaryType: 'TransferWithAuthorization',
    message,
  }
}
