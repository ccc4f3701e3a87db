import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { payment as paymentSchema, paymentStatus } from '../../../redeemkit/schema/payment.ts'
import { testCards } from '../checkout/cards.ts'
import { createApp } from '../http/createApp.ts'
import { allowedMoves, movePayment } from './movePayment.ts'
import { paymentRoutes } from './paymentRoutes.ts'
import { goodUntil, onBase, type TestShop, testShop } from './payments.fixture.ts'

let shop: TestShop
let alice: Record<string, string>
const subtotal = { cents: 1000, currency: 'USD' }

beforeAll(async () => {
  shop = await testShop()
  alice = await shop.customer('alice')
})
afterAll(() => shop?.close())

const buy = async (more: object = {}, who = alice) => {
  const body = { subtotal, card: { cardToken: await shop.tokenOf('approved') }, ...more }
  return (await shop.post('/api/checkout/card/shop', body, who)).body.paymentId as string
}
const asShop = (path: string, body: object = {}, id: 'shop' | 'other' = 'shop') =>
  shop.post(path, body, shop.merchant(id))
const record = async (paymentId: string) =>
  (await shop.get(`/api/merchant/payments/${paymentId}`, shop.merchant())).body
const dispute = (paymentId: string) =>
  asShop(`/sandbox/payments/${paymentId}/dispute`, { reason: 'not mine' })
const decide = (paymentId: string, won: boolean) => asShop(`/sandbox/payments/${paymentId}/decide`, { won })

test('the allowed moves match PROTOCOL.md 10.1', () => {
  const protocol = readFileSync(new URL('../../../../PROTOCOL.md', import.meta.url), 'utf8')
  const [section = ''] = protocol.slice(protocol.indexOf('### 10.1 Payment')).split('### 10.2')
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, from = '', to = '']) => [
    from,
    to.match(/\w+/g),
  ])
  expect(rows).toEqual(Object.entries(allowedMoves).filter(([, to]) => to.length > 0))
})

test('any other move throws an error and changes nothing', async () => {
  const paymentId = await buy()
  const database = await shop.service.database()
  const at = new Date(shop.service.now())
  for (const to of paymentStatus.options.filter((state) => state !== 'disputed'))
    await expect(
      database.transaction((work) => movePayment(work, { paymentId, to, at })),
    ).rejects.toMatchObject({
      code: 'PAYMENT_STATE',
      details: { paymentId, status: 'settled' },
    })
  expect((await record(paymentId)).history).toHaveLength(3)
})

describe('the payment record', () => {
  test('matches the schema, with every move', async () => {
    const customerInfo = { firstName: 'Ada', lastName: 'L', email: 'ada@example.org' }
    const paymentId = await buy({ webhookInfo: { order: 7 }, customerInfo, feePercentage: 10 })
    const body = await record(paymentId)
    expect(() => parseRecord(paymentSchema, body)).not.toThrow()
    expect(body).toMatchObject({
      paymentId,
      status: 'settled',
      merchantId: 'shop',
      userId: 'alice',
      rail: 'card',
      subtotal,
      totals: { total: { cents: 1100, currency: 'USD' } },
      email: 'ada@example.org',
      customerInfo,
      webhookInfo: { order: 7 },
      card: { token: expect.stringMatching(/^tok_/), lastFour: '0012' },
      history: [
        { to: 'created', at: '2026-05-01T12:00:00.000Z' },
        { from: 'created', to: 'authorized', at: '2026-05-01T12:00:00.000Z' },
        { from: 'authorized', to: 'settled', at: '2026-05-01T12:00:00.000Z' },
      ],
    })
  })

  test('equals the data of the events', async () => {
    const paymentId = await buy({ webhookInfo: { order: 8 } })
    const events = (await shop.events()).filter(({ data }) => data.paymentId === paymentId)
    expect(events.map(({ type }) => type).sort()).toEqual([
      'payment.authorized',
      'payment.created',
      'payment.settled',
    ])
    for (const { merchantId, data } of events) {
      expect(merchantId).toBe('shop')
      expect(parseRecord(paymentSchema, data)).toMatchObject({ webhookInfo: { order: 8 } })
    }
  })
})

test('a customer without a chain can pay, but cannot receive credits', async () => {
  const member = { ...alice, 'x-svc-auth-wallet': 'member-7', 'x-svc-auth-blockchain': 'user' }
  const payment = await record(await buy({}, member))
  expect(payment).toMatchObject({ status: 'settled', wallet: 'member-7', blockchain: 'user' })
  expect(() => parseRecord(paymentSchema, payment)).not.toThrow()
  const body = { subtotal, settlementType: 'Credits', card: { cardToken: await shop.tokenOf('approved') } }
  expect(await shop.post('/api/checkout/card/shop', body, member)).toMatchObject({
    status: 400,
    body: { issues: ['x-svc-auth-blockchain'] },
  })
})

describe('a refund', () => {
  const refund = (paymentId: string, body: object = {}) =>
    asShop(`/api/merchant/payments/${paymentId}/refund`, body)

  test('returns the whole amount', async () => {
    const paymentId = await buy()
    expect((await refund(paymentId, { refundReason: 'other' })).body).toEqual({
      id: expect.stringMatching(/^re_/),
      paymentId,
      amount: { cents: 1000, currency: 'USD' },
      status: 'completed',
      refundReason: 'other',
      createdAt: '2026-05-01T12:00:00.000Z',
    })
    expect(await record(paymentId)).toMatchObject({ status: 'settled', refunded: { cents: 1000 } })
  })

  test('can be partial, up to the amount paid', async () => {
    const paymentId = await buy()
    await refund(paymentId, { partialAmount: { cents: 400 } })
    expect(await refund(paymentId, { partialAmount: { cents: 601 } })).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_STATE', details: { leftCents: 600 } },
    })
    expect((await refund(paymentId)).body.amount.cents).toBe(600)
    expect((await refund(paymentId)).status).toBe(409)
    const { body } = await shop.get(`/api/merchant/payments/${paymentId}/refunds`, shop.merchant())
    expect(body.map(({ amount }: { amount: { cents: number } }) => amount.cents).sort()).toEqual([400, 600])
  })

  test('never exceeds the amount, even with concurrent requests', async () => {
    const paymentId = await buy()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => refund(paymentId, { partialAmount: { cents: 400 } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
    expect((await record(paymentId)).refunded.cents).toBe(800)
  })

  test('is executed once per idempotency key', async () => {
    const paymentId = await buy()
    const body = { partialAmount: { cents: 100 }, idempotencyKey: 'k1' }
    const answers = await Promise.all([refund(paymentId, body), refund(paymentId, body)])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect((await record(paymentId)).refunded.cents).toBe(100)
    expect((await refund(paymentId, { ...body, partialAmount: { cents: 101 } })).body.code).toBe(
      'AMBIGUOUS_INTENT',
    )
    expect((await refund(await buy(), body)).body.code).toBe('AMBIGUOUS_INTENT')
  })

  test('of the rest is rejected with the idempotency key of a partial refund', async () => {
    const paymentId = await buy()
    const part = { partialAmount: { cents: 100 }, idempotencyKey: 'part' }
    await refund(paymentId, part)
    expect((await refund(paymentId, { idempotencyKey: 'part' })).body.code).toBe('AMBIGUOUS_INTENT')
    // Meanwhile the clock may have been set back.
    shop.setTime(Date.parse('2026-05-01T11:00:00Z'))
    const rest = await refund(paymentId, { idempotencyKey: 'rest' })
    expect(await refund(paymentId, { idempotencyKey: 'rest' })).toEqual(rest)
    expect((await record(paymentId)).refunded.cents).toBe(1000)
  })

  test('is accepted as a PUT, which clients of deployed services send', async () => {
    const paymentId = await buy()
    const response = await createApp(shop.service, paymentRoutes).request(
      `/api/merchant/payments/${paymentId}/refund`,
      {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...shop.merchant() },
        body: JSON.stringify({ refundReason: 'userCancellation', partialAmount: { cents: 200 } }),
      },
    )
    expect(response.status).toBe(200)
    expect((await record(paymentId)).refunded).toEqual({ cents: 200, currency: 'USD' })
  })

  test('is rejected for an amount of zero and for an unsettled payment', async () => {
    expect((await refund(await buy(), { partialAmount: { cents: 0 } })).status).toBe(400)
    expect((await refund(await buy({ authOnly: true }))).body.code).toBe('PAYMENT_STATE')
  })

  test('emits an event', async () => {
    const paymentId = await buy()
    await refund(paymentId)
    const reported = (await shop.events()).filter(({ type }) => type === 'payment.refunded')
    expect(reported.find(({ data }) => data.paymentId === paymentId)?.data).toMatchObject({
      refunded: { cents: 1000 },
    })
  })
})

describe('a dispute', () => {
  const respond = (paymentId: string, body: object) =>
    asShop(`/api/merchant/chargebacks/${paymentId}/respond`, body)

  test.each([
    [true, 'won'],
    [false, 'lost'],
  ])('can be decided (%s)', async (won, status) => {
    const paymentId = await buy()
    expect((await dispute(paymentId)).body.status).toBe('disputed')
    expect((await decide(paymentId, won)).body.status).toBe(status)
    expect((await decide(paymentId, won)).status).toBe(409)
    expect((await record(paymentId)).history.slice(3)).toMatchObject([
      { from: 'settled', to: 'disputed', reason: 'not mine' },
      { from: 'disputed', to: status },
    ])
  })

  test('accepts text or a file as response', async () => {
    const paymentId = await buy()
    await dispute(paymentId)
    const file = await asShop('/sandbox/evidence-files', { name: 'receipt.txt', content: 'aGVsbG8=' })
    expect(await respond(paymentId, { response: 'It was delivered.' })).toEqual({ status: 200, body: {} })
    expect(await respond(paymentId, { fileKey: file.body.fileKey })).toEqual({ status: 200, body: {} })
  })

  test('rejects another merchant’s file', async () => {
    const paymentId = await buy()
    await dispute(paymentId)
    const file = await asShop('/sandbox/evidence-files', { name: 'a', content: 'aGVsbG8=' }, 'other')
    expect((await respond(paymentId, { fileKey: file.body.fileKey })).body.issues).toEqual(['fileKey'])
  })

  test('accepts a response only while it is open', async () => {
    expect(await respond(await buy(), { response: 'x' })).toMatchObject({ status: 409 })
  })

  test('prevents refunds unless the merchant won it', async () => {
    const paymentId = await buy()
    await dispute(paymentId)
    const refund = () => asShop(`/api/merchant/payments/${paymentId}/refund`)
    expect((await refund()).status).toBe(409)
    await decide(paymentId, true)
    expect((await refund()).status).toBe(200)
  })
})

describe('purchases', () => {
  const list = async (who: Record<string, string>, query = '') =>
    (await shop.get(`/api/customer/purchases/shop${query}`, who)).body

  test('are those of the customer, newest first, with pagination', async () => {
    const dave = await shop.customer('dave')
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      shop.setTime(Date.parse('2026-05-01T12:00:00Z') + Math.floor(index / 2) * 1000)
      ids.unshift(await buy({}, dave))
    }
    const first = await list(dave, '?limit=2')
    const second = await list(dave, `?limit=2&after=${first.next}`)
    const third = await list(dave, `?limit=2&after=${second.next}`)
    const seen = [first, second, third].flatMap(({ purchases }) => purchases)
    expect(seen.map(({ paymentId }: { paymentId: string }) => paymentId).sort()).toEqual([...ids].sort())
    expect(seen[0].paymentId).toBe(ids[0])
    expect(third.next).toBeUndefined()
    expect(seen[0]).toEqual({
      paymentId: ids[0],
      status: 'settled',
      rail: 'card',
      subtotal,
      total: subtotal,
      createdAt: expect.any(String),
    })
  })

  test('of other customers are not listed', async () => {
    const paymentId = await buy()
    const erin = await shop.customer('erin')
    expect(await list(erin)).toEqual({ purchases: [] })
    expect((await list(erin, `?after=${paymentId}`)).issues).toEqual(['after'])
  })

  test('delivered to a wallet do not count as purchases of the wallet’s owner', async () => {
    await buy({}, { ...alice, ...onBase })
    const { body } = await shop.get('/api/auth/session-key', { ...shop.merchant(), ...onBase })
    expect(await list({ 'x-svc-auth-session-key': body.key })).toEqual({ purchases: [] })
  })
})

describe('concurrent requests', () => {
  /** On PostgreSQL, each concurrent request has its own connection. */
  onEachDatabase(({ create }) => {
    let shop: TestShop
    let alice: Record<string, string>
    beforeAll(async () => {
      shop = await testShop(await create())
      alice = await shop.customer('alice')
    })
    afterAll(() => shop?.close())

    const subtotal = { cents: 1000, currency: 'USD' }
    const asShop = (path: string, body: object = {}) => shop.post(path, body, shop.merchant())
    const buy = async (more: object = {}, card: 'approved' | 'challenge' = 'approved') => {
      const body = { subtotal, card: { cardToken: await shop.tokenOf(card) }, ...more }
      return { body, answer: await shop.post('/api/checkout/card/shop', body, alice) }
    }
    const paid = async (more: object = {}) => (await buy(more)).answer.body.paymentId as string
    const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()
    const record = async (paymentId: string) =>
      (await shop.get(`/api/merchant/payments/${paymentId}`, shop.merchant())).body
    const refund = (paymentId: string, body: object = {}) =>
      asShop(`/api/merchant/payments/${paymentId}/refund`, body)

    test('for full refunds of a payment succeed once', async () => {
      const paymentId = await paid()
      const answers = await Promise.all([1, 2, 3, 4].map(() => refund(paymentId)))
      expect(statuses(answers)).toEqual([200, 409, 409, 409])
      expect((await record(paymentId)).refunded.cents).toBe(1000)
    })

    test('for refunds of several payments with one key succeed once', async () => {
      const ids = await Promise.all([1, 2, 3, 4].map(() => paid()))
      const answers = await Promise.all(ids.map((paymentId) => refund(paymentId, { idempotencyKey: 'same' })))
      expect(statuses(answers)).toEqual([200, 409, 409, 409])
      const codes = answers.flatMap(({ body }) => (body.code === undefined ? [] : [body.code]))
      expect(new Set(codes)).toEqual(new Set(['AMBIGUOUS_INTENT']))
    })

    test('for a refund and a dispute lead to a consistent state in either order', async () => {
      const paymentId = await paid()
      const [refunded, disputed] = await Promise.all([
        refund(paymentId),
        asShop(`/sandbox/payments/${paymentId}/dispute`),
      ])
      expect(disputed.status).toBe(200)
      const { status, refunded: back } = await record(paymentId)
      expect({ status, back: back?.cents }).toEqual({
        status: 'disputed',
        back: refunded.status === 200 ? 1000 : undefined,
      })
    })

    test('for voids of a payment succeed once', async () => {
      const paymentId = await paid({ authOnly: true })
      const answers = await Promise.all([1, 2, 3].map(() => asShop('/api/checkout/void', { paymentId })))
      expect(statuses(answers)).toEqual([200, 409, 409])
    })

    test('after a challenge lead to one payment that is settled once', async () => {
      const { body, answer } = await buy({}, 'challenge')
      const { transactionId, url } = answer.body.details
      await shop.post(new URL(url).pathname, { answer: 'approve' })
      const again = { ...body, authentication3DS: { transactionId } }
      const answers = await Promise.all(
        [1, 2, 3].map(() => shop.post('/api/checkout/card/shop', again, alice)),
      )
      expect(statuses(answers)).toEqual([200, 200, 200])
      const [paymentId, ...others] = new Set(answers.map((one) => one.body.paymentId))
      expect(others).toEqual([])
      expect((await record(paymentId)).history).toHaveLength(3)
    })

    test('with card form tokens for one purchase lead to one payment', async () => {
      const carol = await shop.customer('carol')
      const card = { ...testCards.approved, ...goodUntil, purchaseId: 'p-1' }
      const ownPage = { ...carol, 'sec-fetch-site': 'same-origin' }
      const tokens = await Promise.all([1, 2, 3].map(() => shop.post('/card/shop/token', card, ownPage)))
      expect(new Set(tokens.map(({ body }) => body.token)).size).toBe(3)
      const answers = await Promise.all(
        tokens.map(({ body }) =>
          shop.post('/api/checkout/card/shop', { subtotal, card: { cardToken: body.token } }, carol),
        ),
      )
      expect(statuses(answers)).toEqual([200, 200, 200])
      expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1)
      const { payments } = (await shop.get('/sandbox/payments?limit=100', shop.merchant())).body
      expect(payments.filter((one: { userId: string }) => one.userId === 'carol')).toHaveLength(1)
    })

    test('with answers to the same challenge succeed once', async () => {
      const { answer } = await buy({}, 'challenge')
      const { pathname } = new URL(answer.body.details.url)
      const answers = await Promise.all(
        ['approve', 'fail', 'approve'].map((one) => shop.post(pathname, { answer: one })),
      )
      expect(statuses(answers)).toEqual([200, 409, 409])
    })

    test('for zero authorizations of one card save it once', async () => {
      const card = { cardToken: await shop.tokenOf('approved') }
      const bob = await shop.customer('bob')
      const answers = await Promise.all(
        [1, 2, 3].map(() => shop.post('/api/checkout/zero-authorization/shop', { card }, bob)),
      )
      expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
      expect((await shop.get('/api/customer/cards/shop', bob)).body).toHaveLength(1)
    })

    test('to pay one order succeed once', async () => {
      const order = await shop.post(
        '/api/checkout/mobileapp/shop',
        { subtotal },
        {
          ...alice,
          ...shop.merchant(),
          'x-svc-auth-wallet': '0x5FbDB2315678afecb367f032d93F642f64180aa3',
          'x-svc-auth-blockchain': 'base',
        },
      )
      const { paymentId, appLink } = order.body
      const answers = await Promise.all([
        asShop(`/sandbox/payments/${paymentId}/pay`),
        shop.post(new URL(appLink).pathname, { answer: 'pay' }),
        asShop(`/sandbox/payments/${paymentId}/pay`),
      ])
      expect(statuses(answers)).toEqual([200, 409, 409])
      expect((await record(paymentId)).history).toHaveLength(3)
    })
  })
})
