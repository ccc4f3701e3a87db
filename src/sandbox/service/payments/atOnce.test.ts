import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { testCards } from '../checkout/card/cards.ts'
import { goodUntil, type TestShop, testShop } from './payments.fixture.ts'

/** Concurrent requests; on PostgreSQL each has its own connection. */
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

  test('full refunds: one succeeds', async () => {
    const paymentId = await paid()
    const answers = await Promise.all([1, 2, 3, 4].map(() => refund(paymentId)))
    expect(statuses(answers)).toEqual([200, 409, 409, 409])
    expect((await record(paymentId)).refunded.cents).toBe(1000)
  })

  test('refunds of several payments with one key: one succeeds', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => paid()))
    const answers = await Promise.all(ids.map((paymentId) => refund(paymentId, { idempotencyKey: 'same' })))
    expect(statuses(answers)).toEqual([200, 409, 409, 409])
    const codes = answers.flatMap(({ body }) => (body.code === undefined ? [] : [body.code]))
    expect(new Set(codes)).toEqual(new Set(['AMBIGUOUS_INTENT']))
  })

  test('a refund and a dispute: either order, with a consistent result', async () => {
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

  test('voids: one succeeds', async () => {
    const paymentId = await paid({ authOnly: true })
    const answers = await Promise.all([1, 2, 3].map(() => asShop('/api/checkout/void', { paymentId })))
    expect(statuses(answers)).toEqual([200, 409, 409])
  })

  test('retries after a challenge: one payment, settled once', async () => {
    const { body, answer } = await buy({}, 'challenge')
    const { transactionId, url } = answer.body.details
    await shop.post(new URL(url).pathname, { answer: 'approve' })
    const again = { ...body, authentication3DS: { transactionId } }
    const answers = await Promise.all([1, 2, 3].map(() => shop.post('/api/checkout/card/shop', again, alice)))
    expect(statuses(answers)).toEqual([200, 200, 200])
    const [paymentId, ...others] = new Set(answers.map((one) => one.body.paymentId))
    expect(others).toEqual([])
    expect((await record(paymentId)).history).toHaveLength(3)
  })

  test('tokens of the card form for one purchase: one payment', async () => {
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

  test('answers to one challenge: one succeeds', async () => {
    const { answer } = await buy({}, 'challenge')
    const { pathname } = new URL(answer.body.details.url)
    const answers = await Promise.all(
      ['approve', 'fail', 'approve'].map((one) => shop.post(pathname, { answer: one })),
    )
    expect(statuses(answers)).toEqual([200, 409, 409])
  })

  test('zero authorizations of one card: one saved card', async () => {
    const card = { cardToken: await shop.tokenOf('approved') }
    const bob = await shop.customer('bob')
    const answers = await Promise.all(
      [1, 2, 3].map(() => shop.post('/api/checkout/zero-authorization/shop', { card }, bob)),
    )
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
    expect((await shop.get('/api/customer/cards/shop', bob)).body).toHaveLength(1)
  })

  test('payments of one order: one succeeds', async () => {
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
