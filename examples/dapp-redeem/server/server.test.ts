import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/setup/emptyDatabase.ts'
import { type OrderBook, openOrderBook } from '../../merchant-server/orderBook.ts'
import { compileCabinet } from '../contracts/compile.ts'
import { createSessions } from './sessions.ts'
import { answerOrders } from './shopOrders.ts'

describe('sessions', () => {
  const sessions = createSessions({
    baseUrl: 'http://127.0.0.1:1',
    merchantId: 'lampfall',
    blockchain: 'base',
  })
  const ask = (init: RequestInit, headers: Record<string, string> = {}) =>
    sessions.answer(
      new Request('http://127.0.0.1:4244/session', {
        ...init,
        headers: { host: '127.0.0.1:4244', ...headers },
      }),
    )
  const signIn = { method: 'POST', body: JSON.stringify({ wallet: '0x', signedMessage: 'm' }) }

  test.each([{}, { origin: 'https://other.example' }, { origin: 'null' }])(
    'a page from a different origin cannot sign in: %o',
    async (headers) => {
      expect((await ask(signIn, headers)).status).toBe(403)
    },
  )

  test('the page must send the wallet and its signature', async () => {
    const own = { origin: 'http://127.0.0.1:4244' }
    expect((await ask({ method: 'POST', body: '{' }, own)).status).toBe(400)
    expect((await ask({ method: 'POST', body: '{"wallet":"0x"}' }, own)).status).toBe(400)
  })

  test('requires a session of this server', async () => {
    const answer = await ask({ method: 'GET' }, { cookie: 'lampfall-session=made-up' })
    expect(await answer.json()).toEqual({ wallet: null })
  })
})

describe('orders', () => {
  const keeper = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const cabinet = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

  let orders: OrderBook
  let member: { wallet: string } | undefined
  let answer: ReturnType<typeof answerOrders>
  beforeAll(async () => {
    const database = await emptyDatabase()
    orders = await openOrderBook({ database, merchantId: 'lampfall', accepted: [], refundFrom: 1_000_000n })
    answer = answerOrders({ config: { keeper, cabinet }, orders, memberOf: () => member })
  })
  afterAll(() => orders?.close())

  const url = 'http://127.0.0.1:4244/orders'
  const draw = (body: unknown) => ask(new Request(url, { method: 'POST', body: JSON.stringify(body) }))
  const ask = async (request: Request) => {
    const response = await answer(request)
    return { status: response.status, body: await response.json() }
  }

  test("a wallet has one order per bill, at the shop's price and for the shop's receiver", async () => {
    const first = await draw({ bill: '2047', wallet, cents: 1, amount: '1', receiver: other })
    expect(first).toMatchObject({ status: 201, body: { item: 'bill 2047', state: 'open' } })
    expect(first.body.id).toMatch(/^[0-9a-f]{32}$/)
    expect((await draw({ bill: '2047', wallet: wallet.toLowerCase() })).body).toEqual(first.body)
    const ids = [await draw({ bill: '2047', wallet: other }), await draw({ bill: '2041', wallet })]
    expect(new Set([first, ...ids].map(({ body }) => body.id)).size).toBe(3)
    expect(await orders.find(first.body.id)).toMatchObject({
      amount: 4_500_000n,
      redeem: { kind: 'token', receiver: keeper.toLowerCase() },
      settlementType: undefined,
    })
  })

  test('each moth is a separate order that pays the contract', async () => {
    const [one, two] = [await draw({ moth: 'moon-ferry' }), await draw({ moth: 'moon-ferry' })]
    expect(one.body.id).not.toBe(two.body.id)
    expect(await orders.find(one.body.id)).toMatchObject({
      amount: 24_500_000n,
      redeem: { kind: 'safeMint', receiver: cabinet.toLowerCase() },
    })
  })

  test('only members can order credits, and no redeem pays for them', async () => {
    expect((await draw({ pack: 'dusk' })).status).toBe(404)
    member = { wallet }
    const { body } = await draw({ pack: 'dusk' })
    expect(await orders.find(body.id)).toMatchObject({
      userId: wallet.toLowerCase(),
      amount: 10_000_000n,
      redeem: undefined,
      settlementType: 'Credits',
    })
  })

  test.each([
    'none',
    {},
    { bill: '1', wallet },
    { bill: '2047' },
    { bill: '2047', wallet: '0x1' },
    { moth: '__proto__' },
  ])('refuses to create an order for %j', async (body) => {
    expect((await draw(body)).status).toBe(404)
  })

  test('anyone can read an order by its ID, but not its customer', async () => {
    const { body } = await draw({ bill: '2042', wallet })
    expect(await ask(new Request(`${url}/${body.id}`))).toEqual({ status: 200, body })
    expect(JSON.stringify(body).toLowerCase()).not.toContain(wallet.slice(2).toLowerCase())
    expect((await ask(new Request(`${url}/${'00'.repeat(16)}`))).status).toBe(404)
  })
})

test('MothCabinet.json is up to date', () => {
  const deployed = JSON.parse(readFileSync(new URL('../contracts/MothCabinet.json', import.meta.url), 'utf8'))
  expect(deployed).toEqual(compileCabinet())
})
