import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { orderKey } from 'redeemkit/merchant'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const webhookSecret = 'whsec_of_this_test'
let sandbox: RunningSandbox
/** The modules read the environment when they are loaded. */
const load = {
  calls: () => import('./calls.ts'),
  shop: () => import('./yourShop.ts'),
}

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, webhookSecret })
  vi.stubEnv('REDEEMKIT_URL', sandbox.url)
  vi.stubEnv('REDEEMKIT_MERCHANT_ID', sandbox.merchantId)
  vi.stubEnv('REDEEMKIT_API_KEY', sandbox.apiKey)
  vi.stubEnv('WEBHOOK_SECRET', webhookSecret)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await sandbox?.stop()
})

type Fetch = (request: Request) => Promise<Response>

/** Serves requests at a port, and returns a `fetch` for it. */
async function overPort(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has an address object
  const ask: Fetch = async (request) =>
    fetch(request.url.replace('https://shop.example', `http://127.0.0.1:${port}`), {
      method: request.method,
      headers: request.headers,
      ...(request.method === 'POST' && { body: await request.text() }),
    })
  return {
    ask,
    close: () => {
      server.close()
    },
  }
}

const frameworks = {
  Express: async () => overPort((await import('./express.ts')).app),
  Hono: async () => overPort(getRequestListener((await import('./hono.ts')).app.fetch)),
  Next: async () => {
    const routes = {
      '/api/redeemkit/': await import('./app/api/redeemkit/[call]/route.ts'),
      '/webhooks': await import('./app/webhooks/route.ts'),
    }
    const ask: Fetch = async (request) => {
      const { pathname } = new URL(request.url)
      const route = Object.entries(routes).find(([start]) => pathname.startsWith(start))?.[1] ?? {}
      const handler: Fetch | undefined = Reflect.get(route, request.method)
      return handler?.(request) ?? new Response(null, { status: 405 })
    }
    return { ask, close: () => {} }
  },
}

describe.each(Object.entries(frameworks))('in %s', (_, start) => {
  let server: Awaited<ReturnType<typeof overPort>>
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.close())

  const request = (path: string, body?: object, headers: Record<string, string> = {}) =>
    server.ask(
      new Request(`https://shop.example${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    )
  const asAlice = { cookie: 'session=alice' }
  const sendEvent = (type: string, data: object, secret = webhookSecret) => {
    const event = { id: randomUUID(), type, createdAt: '2026-01-01T00:00:00.000Z', data }
    const time = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', secret)
      .update(`${time}.${JSON.stringify(event)}`)
      .digest('hex')
    return request('/webhooks', event, { 'x-svc-signature': `t=${time},v1=${v1}` })
  }
  const drawOrder = async () => {
    const { orders } = await load.shop()
    const order = { id: randomUUID(), userId: 'alice', cents: 2500, state: 'open' as 'open' | 'paid' }
    orders.set(order.id, order)
    return order
  }

  test('a page gets a session key of the logged-in user, and none without a login', async () => {
    const answer = await request('/api/redeemkit/getSessionKey', undefined, asAlice)
    expect(await answer.json()).toMatchObject({ key: expect.any(String) })
    expect((await request('/api/redeemkit/getSessionKey')).status).toBe(401)
    expect((await request('/api/redeemkit/getPlanSubscribers', undefined, asAlice)).status).toBe(404)
  })

  test("a page passes an order ID, and the customer pays the database's price", async () => {
    const { id } = await drawOrder()
    const { merchant } = await load.calls()
    const answer = await request('/api/redeemkit/createCheckoutJwt', { orderId: id }, asAlice)
    const { checkoutJwtToken: jwtToken } = await answer.json()
    const { key: sessionKey } = await merchant.getSessionKey({ userId: 'alice' })
    const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    const { token: cardToken } = await merchant.tokenizeCard({ body: card })
    const pay = (cents: number) => {
      const subtotal = { cents, currency: 'USD' } as const
      return merchant.cardCheckout({
        sessionKey,
        deviceId: 'a phone',
        body: { subtotal, jwtToken, card: { cardToken } },
      })
    }
    await expect(pay(1)).rejects.toMatchObject({ status: 403 })
    const { paymentId } = await pay(2500)
    expect(await merchant.getPayment({ paymentId })).toMatchObject({ webhookInfo: { orderId: id } })
    const others = { cookie: 'session=bob' }
    const refused = await request('/api/redeemkit/createCheckoutJwt', { orderId: id }, others)
    expect(refused.status).toBe(403)
  })

  test('only webhooks that the service signed pay for orders', async () => {
    const [byCard, byWallet] = [await drawOrder(), await drawOrder()]
    const settled = {
      paymentId: `pay ${byCard.id}`,
      subtotal: { cents: 2500, currency: 'USD' },
      webhookInfo: { orderId: byCard.id },
    }
    expect((await sendEvent('payment.settled', settled, 'another secret')).status).toBe(400)
    expect(byCard.state).toBe('open')
    expect((await sendEvent('payment.settled', settled)).status).toBe(204)
    expect(byCard.state).toBe('paid')

    const { merchantId } = sandbox
    const key = orderKey({ merchantId, purchaseId: byWallet.id })
    const redeemed = {
      merchantId,
      wallet: sandbox.accounts.alice.address,
      blockchain: 'base',
      chainId: 84532,
      nonce: `${key}${'11'.repeat(20)}`,
      orderKey: key,
      amount: '25000000',
      refunded: '0',
      hash: `0x${'ab'.repeat(32)}`,
      logIndex: 0,
    }
    // One log pays for one order, so each framework needs a separate hash.
    const own = { ...redeemed, hash: `0x${byWallet.id.replaceAll('-', '').repeat(2)}` }
    expect((await sendEvent('redeem.redeemed', own)).status).toBe(204)
    expect(byWallet.state).toBe('paid')
  })
})
