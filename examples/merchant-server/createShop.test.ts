import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PGlite } from '@electric-sql/pglite'
import { orderKey } from 'redeemkit/merchant'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/setup/emptyDatabase.ts'
import { createShop } from './createShop.ts'
import { type OrderBook, openOrderBook } from './orderBook.ts'

const webhookSecret = 'whsec_of_a_test'
const merchantId = 'shop'
const receiver = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const base = {
  chainId: 84532,
  creditsContract: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  creditSeed: 'shop-credits',
}

let folder: string
let orders: OrderBook
let shop: ReturnType<typeof createShop>
const said: string[] = []
/** IDs of shipped orders. The warehouse ships each ID once, even if it is called several times. */
const warehouse = new Set<string>()
let asked: string[]
/** Runs before the warehouse records an order. */
let beforeSending: () => Promise<void>

/** Handles refunds and mints as the service does, and records each idempotency key once. */
let service: Server
const refunds = new Map<string, object>()
let isServiceDown = false
/** The service's response to every mint. */
let jobStatus: object = { status: 'completed', value: null }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
  service = createServer(async (request, response) => {
    const isJob = request.url?.includes('/credits/status/')
    const body = isJob ? {} : JSON.parse(await text(request))
    if (!isServiceDown && !isJob) refunds.set(body.idempotencyKey, { ...body, path: request.url })
    const answer = isJob
      ? jobStatus
      : {
          jobId: randomUUID(),
          id: 'refund_1',
          paymentId: 'pay_1',
          amount: { cents: 1, currency: 'USD' },
          status: 'completed',
          createdAt: '2026-01-01T00:00:00.000Z',
        }
    response.writeHead(isServiceDown ? 503 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isServiceDown ? { error: 'SERVICE_UNAVAILABLE', message: 'Down.' } : answer))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  await start({ isNew: true })
})
afterAll(async () => {
  await orders?.close()
  service.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  isServiceDown = false
  jobStatus = { status: 'completed', value: null }
  beforeSending = async () => {}
  asked = []
  said.length = 0
})

/** Starts the server as a new process does. */
async function start({ isNew = false } = {}): Promise<void> {
  const at = join(folder, 'orders')
  orders = await openOrderBook({
    database: await (isNew ? emptyDatabase(at) : PGlite.create(at)),
    merchantId,
    accepted: [base],
    refundFrom: 1_000_000n,
  })
  shop = createShop({
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    merchantId,
    apiKey: 'sk_of_a_test',
    webhookSecret,
    wallets: { alice, bob },
    receiver,
    orders,
    fulfil: async ({ id }) => {
      asked.push(id)
      await beforeSending()
      warehouse.add(id)
    },
    log: (line) => said.push(line),
  })
}

async function restart(): Promise<void> {
  await orders.close()
  await start()
}

async function login(user = 'alice'): Promise<{ cookie: string }> {
  const answer = await shop.app.request(`/login/${user}`, { method: 'POST' })
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Orders a cap for $25.00 as a page does, and returns the order's id. */
async function order(user?: string): Promise<string> {
  const headers = { ...(await login(user)), 'content-type': 'application/json' }
  const answer = await shop.app.request('/orders', {
    method: 'POST',
    headers,
    body: JSON.stringify({ item: 'cap' }),
  })
  return (await answer.json()).id
}

let logs = 0
/** Returns the event in which the service reports a redeem of $25.00 for an order, from a wallet. */
const redeemed = (orderId: string, change: object = {}) => ({
  id: randomUUID(),
  type: 'redeem.redeemed',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: {
    merchantId,
    wallet: alice,
    blockchain: 'base',
    ...base,
    nonce: `${orderKey({ merchantId, purchaseId: orderId })}${'11'.repeat(20)}`,
    orderKey: orderKey({ merchantId, purchaseId: orderId }),
    kind: 'token',
    receiver,
    amount: '25000000',
    usdcAmount: '0',
    charged: '25030000',
    refunded: '0',
    gasFee: '30000',
    hash: `0x${'ab'.repeat(32)}`,
    blockNumber: 7,
    logIndex: logs++,
    ...change,
  },
})

const settled = (orderId: string, change: object = {}) => ({
  id: randomUUID(),
  type: 'payment.settled',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: {
    paymentId: `pay_${logs++}`,
    subtotal: { cents: 2500, currency: 'USD' },
    settlementType: 'USDC',
    webhookInfo: { orderId },
    ...change,
  },
})

/** Sends a webhook as the service does, and waits until the shop has processed it. */
async function send(
  event: object,
  { secret = webhookSecret, secondsAgo = 0 }: { secret?: string; secondsAgo?: number } = {},
): Promise<number> {
  const body = JSON.stringify(event)
  const time = Math.floor(Date.now() / 1000) - secondsAgo
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const headers = { 'x-svc-signature': `t=${time},v1=${signature}` }
  const { status } = await shop.app.request('/webhooks', { method: 'POST', body, headers })
  await shop.work()
  return status
}

const stateOf = async (orderId: string) => (await orders.find(orderId))?.state

type Paid = { data: { hash?: string; logIndex?: number; paymentId?: string } }

/** Returns the first idempotency key of an event's refund. */
const keyOf = ({ data: { hash, logIndex, paymentId } }: Paid) =>
  `refund ${paymentId ? `payment ${paymentId}` : `${base.chainId} ${hash} ${logIndex}`}`

const refundsFor = (event: Paid) => refunds.get(keyOf(event))

describe('an order', () => {
  test('gets an id of 128 random bits from the server', async () => {
    const ids = [await order(), await order()]
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(2)
  })

  test.each([
    ['a redeem', redeemed],
    ['a card, wire or Pix payment', settled],
  ])('is fulfilled by %s', async (_, event) => {
    const id = await order()
    expect(await send(event(id))).toBe(204)
    expect(await stateOf(id)).toBe('fulfilled')
    expect(warehouse.has(id)).toBe(true)
  })

  test('is fulfilled by a redeem paid partly in USDC and partly refunded', async () => {
    const id = await order()
    await send(redeemed(id, { amount: '26000000', refunded: '1000000', usdcAmount: '4000000' }))
    expect(await stateOf(id)).toBe('fulfilled')
  })

  test('is fulfilled for any payer, relayer and extra fields', async () => {
    const id = await order()
    await send(
      redeemed(id, { wallet: bob, gasFee: '0', purchaseId: 'another', webhookInfo: { orderId: 'x' } }),
    )
    expect(await stateOf(id)).toBe('fulfilled')
  })

  test('with a name is created once', async () => {
    const bill = { userId: 'alice', item: 'bill', amount: 1n, name: 'bill 7' }
    const { id } = await orders.draw(bill)
    expect((await orders.draw(bill)).id).toBe(id)
    expect((await orders.draw({ ...bill, name: 'bill 8' })).id).not.toBe(id)
  })
})

describe('an order is fulfilled once', () => {
  test.each([
    ['the same webhook twice', (id: string) => Array(2).fill(redeemed(id))],
    [
      'one log in two events',
      (id: string) => {
        const event = redeemed(id)
        return [event, { ...event, id: randomUUID() }]
      },
    ],
    ['the same payment twice', (id: string) => Array(2).fill(settled(id))],
  ])('%s has no further effect', async (_, events) => {
    const id = await order()
    for (const event of events(id)) expect(await send(event)).toBe(204)
    expect(asked).toEqual([id])
    expect(events(id).map(refundsFor)).toEqual([undefined, undefined])
  })

  test('the same webhook, sent twice at the same time, has no further effect', async () => {
    const id = await order()
    const event = redeemed(id)
    expect(await Promise.all([send(event), send(event)])).toEqual([204, 204])
    expect(asked).toEqual([id])
    expect(refundsFor(event)).toBeUndefined()
  })

  test('two wallets: the second payment is refunded, once', async () => {
    const id = await order()
    const [first, second] = [redeemed(id), redeemed(id, { wallet: bob })]
    for (const event of [first, second, second, first]) await send(event)
    expect(asked).toEqual([id])
    expect(refundsFor(first)).toBeUndefined()
    expect(refundsFor(second)).toMatchObject({
      path: '/api/merchant/credits/mint',
      wallet: bob,
      blockchain: 'base',
      amount: { cents: 2500 },
    })
  })

  test('a card and a wallet, in either order: the later payment is refunded', async () => {
    for (const swap of [false, true]) {
      const id = await order()
      const [card, wallet] = [settled(id), redeemed(id)]
      const [first, second] = swap ? [wallet, card] : [card, wallet]
      await send(first)
      await send(second)
      expect(asked.filter((one) => one === id)).toEqual([id])
      expect([first, second].map((event) => refundsFor(event) !== undefined)).toEqual([false, true])
      if (swap)
        expect(refundsFor(card)).toMatchObject({
          path: `/api/merchant/payments/${card.data.paymentId}/refund`,
        })
    }
  })

  test('webhooks in a different order than their events change nothing', async () => {
    const id = await order()
    const event = redeemed(id)
    const sent = { ...event, id: randomUUID(), type: 'redeem.sent' }
    const { kind: _, ...data } = event.data
    for (const one of [event, sent, { ...event, id: randomUUID(), type: 'redeem.reverted', data }])
      expect(await send(one)).toBe(204)
    expect(await stateOf(id)).toBe('fulfilled')
    expect(asked).toEqual([id])
  })
})

describe('is not paid by', () => {
  const other = '0x00000000000000000000000000000000000000a1'
  test.each<[string, object]>([
    ['another contract', { creditsContract: other }],
    ['another chain', { chainId: 8453 }],
    ['another credit seed', { creditSeed: 'dust' }],
    ['another receiver', { receiver: other }],
    ['a service that reports no order key', { orderKey: undefined }],
  ])('%s, and nothing is refunded', async (_, change) => {
    const id = await order()
    const event = redeemed(id, change)
    expect(await send(event)).toBe(204)
    expect(await stateOf(id)).toBe('open')
    expect(refundsFor(event)).toBeUndefined()
    // The order can still be paid.
    await send(redeemed(id))
    expect(await stateOf(id)).toBe('fulfilled')
  })

  test.each<[string, object, number | undefined]>([
    ['one raw unit', { amount: '1', wallet: bob }, undefined],
    ['less than the smallest refund', { amount: '999999', wallet: bob }, undefined],
    ['the smallest refund', { amount: '1000000', wallet: bob }, 100],
    ['too little', { amount: '24999999' }, 2499],
    ['too much', { amount: '25000001' }, 2500],
    ['the price with a partial refund', { refunded: '10000' }, 2499],
  ])('%s (refunded if large enough), which leaves the order open', async (_, change, cents) => {
    const id = await order()
    const event = redeemed(id, change)
    await send(event)
    await send(event)
    expect(await stateOf(id)).toBe('open')
    expect(refundsFor(event)).toEqual(
      cents === undefined ? undefined : expect.objectContaining({ amount: { cents } }),
    )
    await send(redeemed(id, { wallet: bob }))
    expect(await stateOf(id)).toBe('fulfilled')
  })

  test('a redeem that called a contract, which is not refunded because the contract has delivered', async () => {
    const id = await order()
    const event = redeemed(id, { kind: 'normal' })
    await send(event)
    expect(await stateOf(id)).toBe('open')
    expect(refundsFor(event)).toBeUndefined()
  })

  test.each<[string, object]>([
    ['a payment that settled to credits', { settlementType: 'Credits' }],
    ['a payment in another currency', { subtotal: { cents: 2500, currency: 'BRL' } }],
    ['a payment without an order', { webhookInfo: { cartId: 'cap' } }],
    ['a payment of a subscription', { subscriptionId: 'sub_1' }],
  ])('%s', async (_, change) => {
    const id = await order()
    const event = settled(id, change)
    expect(await send(event)).toBe(204)
    expect(await stateOf(id)).toBe('open')
    expect(refundsFor(event)).toBeUndefined()
  })

  test("a different payment by the order's own wallet, which then needs a new order", async () => {
    const redeem = { kind: 'token', receiver }
    const bill = { userId: 'alice', item: 'bill', amount: 25_000_000n, redeem, name: 'bill 9' }
    const { id } = await orders.draw({ ...bill, wallet: alice })
    // A third party's payment does not close the order.
    await send(redeemed(id, { amount: '1', wallet: bob }))
    expect((await orders.draw({ ...bill, wallet: alice })).id).toBe(id)
    await send(redeemed(id, { amount: '2000000' }))
    expect(await stateOf(id)).toBe('closed')
    const next = await orders.draw({ ...bill, wallet: alice })
    expect(next.id).not.toBe(id)
    // A payment for a closed order is refunded.
    const late = redeemed(id, { wallet: bob })
    await send(late)
    expect(refundsFor(late)).toMatchObject({ wallet: bob, amount: { cents: 2500 } })
    await send(redeemed(next.id))
    expect(await stateOf(next.id)).toBe('fulfilled')
    expect(asked).toEqual([next.id])
  })
})

describe('a process that is restarted', () => {
  test('between an event and its fulfilment fulfils the order', async () => {
    const id = await order()
    beforeSending = async () => {
      throw new Error('killed')
    }
    expect(await send(redeemed(id))).toBe(204)
    expect(await stateOf(id)).toBe('paid')
    expect(said).toContain('A fulfilment or a refund failed: Error')
    beforeSending = async () => {}
    asked = []
    await restart()
    await shop.work()
    expect(await stateOf(id)).toBe('fulfilled')
    await restart()
    await shop.work()
    expect(asked).toEqual([id])
  })

  test('recognizes a repeated webhook', async () => {
    const id = await order()
    const event = redeemed(id)
    await send(event)
    await restart()
    await send(event)
    expect(asked).toEqual([id])
    expect(refundsFor(event)).toBeUndefined()
  })

  test('retries a refund once if the service could not make it', async () => {
    const id = await order()
    await send(redeemed(id))
    isServiceDown = true
    const second = redeemed(id, { wallet: bob })
    expect(await send(second)).toBe(204)
    expect(refundsFor(second)).toBeUndefined()
    isServiceDown = false
    await restart()
    await shop.work()
    const refund = refundsFor(second)
    expect(refund).toMatchObject({ wallet: bob })
    await shop.work()
    expect(refundsFor(second)).toBe(refund)
  })
})

test.each([
  ['redeem', (id: string) => redeemed(id, { wallet: bob })],
  ['card payment', settled],
])('a failed refund of a %s is retried once, with a new key', async (_, pay) => {
  const id = await order()
  await send(redeemed(id))
  const second = pay(id)
  jobStatus = { status: 'pending' }
  await send(second)
  await shop.work()
  jobStatus = { status: 'failed', error: 'The minter holds too little USDC.' }
  await shop.work()
  jobStatus = { status: 'completed', value: null }
  await shop.work()
  await shop.work()
  const first = keyOf(second)
  expect([...refunds.keys()].filter((key) => key.startsWith(first))).toEqual([first, `${first} 2`])
})

test('an order that cannot be fulfilled does not block others', async () => {
  const [stuck, next] = [await order(), await order()]
  beforeSending = async () => {
    if (asked.at(-1) === stuck) throw new Error('out of stock')
  }
  await send(redeemed(stuck))
  await send(redeemed(next))
  expect(await Promise.all([stuck, next].map(stateOf))).toEqual(['paid', 'fulfilled'])
  beforeSending = async () => {}
  await shop.work()
  expect(await stateOf(stuck)).toBe('fulfilled')
})

test('returns 500 for a webhook that could not be stored, so that the service sends it again', async () => {
  const id = await order()
  const event = redeemed(id)
  await orders.close()
  expect(await send(event)).toBe(500)
  await start()
  expect(await send(event)).toBe(204)
  expect(await stateOf(id)).toBe('fulfilled')
})

test('a body of 2 MB is not read, with or without a content length', async () => {
  for (const headers of [{ 'content-length': '2000000' }, { 'transfer-encoding': 'chunked' }]) {
    const init = { method: 'POST', headers, body: new Blob(['x'.repeat(2_000_000)]).stream(), duplex: 'half' }
    expect((await shop.app.request('/webhooks', init)).status).toBe(413)
  }
})

test('a webhook that is not from the service, or is too old, is refused', async () => {
  const id = await order()
  expect(await send(redeemed(id), { secret: 'whsec_of_a_stranger' })).toBe(400)
  expect(await send(redeemed(id), { secondsAgo: 301 })).toBe(400)
  expect(await stateOf(id)).toBe('open')
})

describe('a page', () => {
  test('gets nothing without a login', async () => {
    const answers = [
      shop.app.request('/orders'),
      shop.app.request('/orders', { method: 'POST' }),
      shop.app.request('/api/redeemkit/getSessionKey'),
    ]
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 401])
  })

  test('gets the orders of its own user, and the data to pay for them', async () => {
    const id = await order('bob')
    await send(redeemed(await order('alice')))
    const answer = await shop.app.request('/orders', { headers: await login('bob') })
    const shown = { id, item: 'cap', cents: 2500, receiver: receiver.toLowerCase(), state: 'open' }
    expect(await answer.json()).toEqual({ orders: [shown] })
  })

  test('gets nothing after a logout', async () => {
    const headers = await login()
    await shop.app.request('/logout', { method: 'POST', headers })
    expect((await shop.app.request('/orders', { headers })).status).toBe(401)
  })

  test('cannot order goods that do not exist', async () => {
    const headers = { ...(await login()), 'content-type': 'application/json' }
    const body = JSON.stringify({ item: '__proto__' })
    expect((await shop.app.request('/orders', { method: 'POST', headers, body })).status).toBe(404)
  })

  test.each([
    ['another user’s', () => order('bob')],
    [
      'a paid',
      async () => {
        const id = await order()
        await send(redeemed(id))
        return id
      },
    ],
    ['an unknown', async () => 'none'],
  ])('gets no checkout for %s order', async (_, orderOf) => {
    const body = JSON.stringify({ orderId: await orderOf() })
    const headers = { ...(await login('alice')), 'content-type': 'application/json' }
    const answer = await shop.app.request('/api/redeemkit/createCheckoutJwt', {
      method: 'POST',
      headers,
      body,
    })
    expect(answer.status).toBe(403)
  })
})
