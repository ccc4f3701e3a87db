import { createHmac } from 'node:crypto'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createShop } from './createShop.ts'
import { type OrderBook, openOrderBook } from './orderBook.ts'

const webhookSecret = 'whsec_of_a_test'
let folder: string
let orders: OrderBook
let shop: Hono
let said: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
  await restart()
})
afterEach(async () => {
  await orders.close()
  await rm(folder, { recursive: true, force: true })
})

/** As a new process finds it. */
async function restart(): Promise<void> {
  orders = await openOrderBook(join(folder, 'orders.jsonl'))
  said = []
  shop = createShop({
    baseUrl: 'http://127.0.0.1:1',
    merchantId: 'shop',
    apiKey: 'sk_of_a_test',
    webhookSecret,
    wallets: { alice: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    orders,
    log: (line) => said.push(line),
  })
}

const paid = (fields: object = {}) => ({
  id: 'evt_1',
  type: 'payment.settled',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: { paymentId: 'pay_1', webhookInfo: { userId: 'alice', cartId: 'cap' } },
  ...fields,
})

/** Sends a webhook as the service does. */
async function tell(
  event: object,
  { secret = webhookSecret, secondsAgo = 0 }: { secret?: string; secondsAgo?: number } = {},
): Promise<number> {
  const body = JSON.stringify(event)
  const time = Math.floor(Date.now() / 1000) - secondsAgo
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'x-svc-signature': `t=${time},v1=${signature}` }
  return (await shop.request('/webhooks', { method: 'POST', body, headers })).status
}

const order = { eventId: 'evt_1', paymentId: 'pay_1', userId: 'alice', cartId: 'cap' }

describe('a webhook', () => {
  test('makes an order', async () => {
    expect(await tell(paid())).toBe(204)
    expect(orders.of('alice')).toEqual([order])
  })

  test('that comes again makes no second order, and is answered as the first', async () => {
    expect([await tell(paid()), await tell(paid())]).toEqual([204, 204])
    expect(orders.of('alice')).toEqual([order])
  })

  test('that comes twice at once makes one order', async () => {
    expect(await Promise.all([tell(paid()), tell(paid())])).toEqual([204, 204])
    await orders.close()
    await restart()
    expect(orders.of('alice')).toEqual([order])
  })

  test('that comes again to a server that was started anew makes no second order', async () => {
    await tell(paid())
    await orders.close()
    await restart()
    expect(await tell(paid())).toBe(204)
    expect(said).toEqual(['pay_1 was told before'])
  })

  test('of a stranger is refused, and so is one that somebody kept', async () => {
    expect(await tell(paid(), { secret: 'whsec_of_a_stranger' })).toBe(400)
    expect(await tell(paid(), { secondsAgo: 301 })).toBe(400)
    expect(orders.of('alice')).toEqual([])
  })

  test('of something else is taken, and makes no order', async () => {
    expect(await tell(paid({ type: 'payment.created' }))).toBe(204)
    expect(orders.of('alice')).toEqual([])
  })

  test('is asked for again when the order could not be kept', async () => {
    await orders.close()
    expect(await tell(paid())).toBe(500)
    await restart()
    expect(await tell(paid())).toBe(204)
    expect(orders.of('alice')).toEqual([order])
  })
})

test('an order that was half written when the server was killed is written whole when it comes again', async () => {
  await tell(paid({ id: 'evt_0' }))
  await orders.close()
  await appendFile(join(folder, 'orders.jsonl'), '{"eventId":"evt_1","payme')
  await restart()
  await tell(paid())
  await orders.close()
  await restart()
  expect(orders.of('alice')).toEqual([{ ...order, eventId: 'evt_0' }, order])
})

describe('a page', () => {
  const login = async () => {
    const answer = await shop.request('/login/alice', { method: 'POST' })
    return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
  }

  test('is told nothing without a login', async () => {
    const answers = ['/orders', '/api/redeemkit/getSessionKey'].map((path) => shop.request(path))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401])
  })

  test('sees the orders of its own user', async () => {
    await tell(paid())
    await tell(
      paid({ id: 'evt_2', data: { paymentId: 'pay_2', webhookInfo: { userId: 'bob', cartId: 'cap' } } }),
    )
    const answer = await shop.request('/orders', { headers: await login() })
    expect(await answer.json()).toEqual({ orders: [order] })
  })

  test('is told nothing after its logout', async () => {
    const headers = await login()
    await shop.request('/logout', { method: 'POST', headers })
    expect((await shop.request('/orders', { headers })).status).toBe(401)
  })

  test('pays no price for a cart that there is not', async () => {
    const headers = { ...(await login()), 'content-type': 'application/json' }
    const body = JSON.stringify({ cartId: '__proto__' })
    const answer = await shop.request('/api/redeemkit/createCheckoutJwt', { method: 'POST', headers, body })
    expect(answer.status).toBe(403)
  })
})
