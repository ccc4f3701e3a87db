import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { webhookEvent } from '../../../redeemkit/schema/webhookEvent.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { payments, subscriptionMoves, subscriptions } from '../../store/tables/index.ts'
import { onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { failPayment } from '../settlement/closePayment.ts'
import { eventBody } from '../webhooks/postWebhook.ts'
import { billSubscriptions, periodStart } from './billSubscriptions.ts'

const start = Date.parse('2026-01-31T12:00:00Z')
const day = 86_400_000
let shop: TestShop
let users = 0

beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  shop.setTime(start)
  // Ends billing of the subscriptions that other tests created.
  await (await shop.service.database()).update(subscriptions).set({ dueAt: null })
})
afterAll(() => shop?.close())

const makePlan = (plan: object) => {
  const code = `plan-${++users}`
  const body = { code, name: 'Gold', interval: 'Monthly', amount: { cents: 990, currency: 'USD' }, ...plan }
  return shop.post('/sandbox/subscription/plans', body, shop.merchant())
}
const planOf = async (plan: object = {}) => (await makePlan(plan)).body
const customer = async (): Promise<Record<string, string>> => ({
  ...(await shop.customer(`user-${++users}`)),
  ...onBase,
})
const subscribe = async (
  planCode: string,
  card: Parameters<TestShop['tokenOf']>[0] = 'approved',
  headers?: Record<string, string>,
) =>
  shop.post(
    '/api/subscription/shop/subscribers/token',
    { planCode, token: await shop.tokenOf(card) },
    headers ?? (await customer()),
  )
/** Advances the clock and runs all due billing. */
const moveTo = async (time: number | string) => {
  const at = typeof time === 'number' ? time : Date.parse(time)
  shop.setTime(at)
  await billSubscriptions(shop.service, await shop.service.database())
}
const paymentsOf = async (subscriptionId: string) =>
  (await shop.service.database())
    .select()
    .from(payments)
    .where(eq(payments.subscriptionId, subscriptionId))
    .orderBy(payments.createdAt)
const datesOf = async (subscriptionId: string) =>
  (await paymentsOf(subscriptionId)).map(({ createdAt }) => createdAt.toISOString().slice(0, 10))
const movesOf = async (subscriptionId: string) => {
  const database = await shop.service.database()
  const rows = await database
    .select()
    .from(subscriptionMoves)
    .where(eq(subscriptionMoves.subscriptionId, subscriptionId))
    .orderBy(subscriptionMoves.id)
  return rows.map(({ to }) => to)
}
const stateOf = async (planId: string) =>
  (await shop.get(`/api/merchant/subscription/plans/${planId}/subscribers`, shop.merchant())).body[0]
const act = (subscriptionId: string, what: string) =>
  shop.post(`/sandbox/subscription/subscribers/${subscriptionId}/${what}`, {}, shop.merchant())

describe('a plan with a settlement', () => {
  const token = JSON.stringify({ type: 'token', destination: `0x${'22'.repeat(20)}` })
  const chain = {
    blockchain: 'base',
    environment: 'sandbox',
    chainId: 84532,
    creditsContract: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    paymentSettlement: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  } as unknown as EvmChain // a payment of a token uses no other field
  beforeAll(() => {
    shop.service.chains = new Map([['base', chain]])
  })
  afterAll(() => {
    shop.service.chains = new Map()
  })

  test('settles each period’s payment on the plan’s chain', async () => {
    const plan = await planOf({ settlementChain: 'base', transaction: token, interval: 'Daily' })
    const { body } = await subscribe(plan.code, 'approved', {
      ...(await customer()),
      'x-svc-auth-blockchain': 'polygon',
    })
    await moveTo(start + day)
    const paid = await paymentsOf(body.subscriptionId)
    expect(paid).toHaveLength(2)
    for (const payment of paid)
      expect(payment).toMatchObject({
        status: 'authorized',
        blockchain: 'base',
        carried: { transactionData: { type: 'token' } },
      })
  })

  const gold = { settlementChain: 'base', transaction: token, interval: 'Daily' }
  const failSettlement = async (subscriptionId: string, which = -1) => {
    const payment = (await paymentsOf(subscriptionId)).at(which)
    if (payment === undefined) throw new Error('The payment does not exist.')
    const database = await shop.service.database()
    await database.transaction((work) =>
      failPayment(work, { payment, reason: 'It reverts.', at: new Date(shop.service.now()) }),
    )
  }
  const statesOf = async (subscriptionId: string) =>
    (await paymentsOf(subscriptionId)).map(({ status }) => status)

  test('a period whose payment cannot settle fails, and a retry pays it', async () => {
    const plan = await planOf({ ...gold, interval: 'Weekly' })
    const { subscriptionId } = (await subscribe(plan.code)).body
    await moveTo(start + 7 * day)
    await failSettlement(subscriptionId)
    expect(await stateOf(plan.id)).toMatchObject({
      status: 'Failed',
      nextPaymentAt: new Date(start + 8 * day).toISOString(),
    })
    await moveTo(start + 8 * day)
    expect(await statesOf(subscriptionId)).toEqual(['authorized', 'failed', 'authorized'])
    expect(await stateOf(plan.id)).toMatchObject({
      status: 'Active',
      nextPaymentAt: new Date(start + 14 * day).toISOString(),
    })
  })

  test('a payment that never settles is retried as often as a declined card', async () => {
    const plan = await planOf({ ...gold, interval: 'Monthly' })
    const { subscriptionId } = (await subscribe(plan.code)).body
    for (let days = 0; days < 25; days++) {
      shop.setTime(start + days * day)
      await moveTo(start + days * day)
      if ((await statesOf(subscriptionId)).at(-1) === 'authorized') await failSettlement(subscriptionId)
    }
    expect(await datesOf(subscriptionId)).toEqual([
      '2026-01-31',
      '2026-02-01',
      '2026-02-04',
      '2026-02-09',
      '2026-02-16',
    ])
    expect(await stateOf(plan.id)).not.toHaveProperty('nextPaymentAt')
  })

  test('a period whose payment failed to settle is paid later, and no later period is paid twice', async () => {
    const plan = await planOf({ ...gold, duration: 3 })
    const { subscriptionId } = (await subscribe(plan.code)).body
    await moveTo(start + 2 * day)
    await failSettlement(subscriptionId, 0)
    await moveTo(start + 9 * day)
    expect(await statesOf(subscriptionId)).toEqual(['failed', 'authorized', 'authorized', 'authorized'])
    expect(await movesOf(subscriptionId)).toEqual(['Active', 'Failed', 'Active', 'Concluded'])
  })

  test('a canceled subscription stays canceled if its payment cannot settle', async () => {
    const { subscriptionId } = (await subscribe((await planOf(gold)).code)).body
    await act(subscriptionId, 'cancel')
    await failSettlement(subscriptionId)
    await moveTo(start + 9 * day)
    expect(await statesOf(subscriptionId)).toEqual(['failed'])
    expect(await movesOf(subscriptionId)).toEqual(['Active', 'Canceled'])
  })

  test('without a transaction, the money is added to the merchant’s balance, on each of the eight chains', async () => {
    const chains = ['solana', 'eth', 'polygon', 'base', 'arbitrum', 'stellar', 'monad', 'tempo']
    for (const settlementChain of chains) {
      const plan = await planOf({ settlementChain })
      const { body } = await subscribe(plan.code)
      const [payment] = await paymentsOf(body.subscriptionId)
      expect(payment).toMatchObject({ status: 'settled', blockchain: 'base', carried: {} })
    }
  })

  test.each([
    ['without a chain', { transaction: token }, 'transaction'],
    ['of Solana', { transaction: 'AAAA', settlementChain: 'solana' }, 'transaction'],
    ['that cannot be read', { transaction: 'AAAA', settlementChain: 'base' }, 'transaction'],
    [
      'on a chain that the service does not have',
      { transaction: token, settlementChain: 'eth' },
      'settlementChain',
    ],
    [
      'on Stellar, without a settlement there',
      { transaction: 'AA', settlementChain: 'stellar' },
      'settlementChain',
    ],
  ])('a plan with a transaction %s is rejected', async (_, plan, issue) => {
    expect(await makePlan(plan)).toMatchObject({ status: 400, body: { issues: [issue] } })
  })

  test('the transaction of a plan in another currency is checked with the plan’s amount in dollars', async () => {
    const amount = (cents: number) => ({ ...gold, amount: { cents, currency: 'VND' } })
    expect((await makePlan(amount(1_000_000_000_000))).status).toBe(200)
    expect(await makePlan(amount(Number.MAX_SAFE_INTEGER))).toMatchObject({ status: 200 })
  })

  test('a customer with a wallet of another chain family cannot buy the plan', async () => {
    shop.service.stellarSettlement = async () => ({ readCall: () => ({}) }) as never // a plan calls no other function
    const plan = await planOf({ settlementChain: 'stellar', transaction: 'AA' })
    expect(await subscribe(plan.code)).toMatchObject({
      status: 400,
      body: { issues: ['x-svc-auth-blockchain'] },
    })
    shop.service.stellarSettlement = async () => undefined
  })
})

describe('plans', () => {
  test('are listed for customers only while active', async () => {
    const [plan, retired] = [await planOf(), await planOf({ active: false })]
    const { body } = await shop.get('/api/subscription/shop/plans', await customer())
    expect(body).toContainEqual(plan)
    expect(body).not.toContainEqual(retired)
    expect((await subscribe(retired.code)).status).toBe(404)
  })

  test('are replaced by a plan with the same code, and existing subscribers keep the old price', async () => {
    const plan = await planOf()
    const { subscriptionId } = (await subscribe(plan.code)).body
    await shop.post(
      '/sandbox/subscription/plans',
      { code: plan.code, name: 'Gold', interval: 'Monthly', amount: { cents: 1990, currency: 'USD' } },
      shop.merchant(),
    )
    await moveTo('2026-02-28T12:00:00Z')
    expect((await paymentsOf(subscriptionId)).map(({ totalCents }) => totalCents)).toEqual([990, 990])
  })

  test('of another merchant are not listed', async () => {
    const { id, code } = await planOf()
    for (const name of [id, code]) {
      const path = `/api/merchant/subscription/plans/${name}/subscribers`
      expect((await shop.get(path, shop.merchant())).status).toBe(200)
      expect((await shop.get(path, shop.merchant('other'))).status).toBe(404)
    }
  })

  test.each([
    ['a price of zero', { amount: { cents: 0, currency: 'USD' } }],
    ['less than one US cent', { amount: { cents: 1, currency: 'JPY' } }],
    ['a price above 2^53 - 1 US cents', { amount: { cents: Number.MAX_SAFE_INTEGER, currency: 'EUR' } }],
    ['no payments', { duration: 0 }],
    ['another interval', { interval: 'Hourly' }],
    ['a currency without a rate', { amount: { cents: 1, currency: 'KPW' } }],
  ])('with %s are rejected', async (_, wrong) => {
    expect((await makePlan(wrong)).status).toBe(400)
  })
})

describe('a purchase', () => {
  test('pays the first period and returns the next due date', async () => {
    const plan = await planOf()
    const { status, body } = await subscribe(plan.code)
    expect(status).toBe(200)
    expect(await stateOf(plan.code)).toMatchObject({
      id: body.subscriptionId,
      status: 'Active',
      planCode: plan.code,
      blockchain: 'base',
      nextPaymentAt: '2026-02-28T12:00:00.000Z',
    })
    expect(await paymentsOf(body.subscriptionId)).toMatchObject([
      { paymentId: body.paymentId, status: 'settled', totalCents: 990 },
    ])
  })

  test('charges fees like a checkout, in every period', async () => {
    const plan = await planOf({ amount: { cents: 1000, currency: 'USD' }, interval: 'Daily' })
    const fees = { fixedFee: { cents: 150 }, feePercentage: 4.95 }
    const { body } = await shop.post(
      '/api/subscription/shop/subscribers/token',
      { planCode: plan.code, token: await shop.tokenOf('approved'), ...fees },
      await customer(),
    )
    await moveTo(start + day)
    const paid = await paymentsOf(body.subscriptionId)
    expect(paid).toHaveLength(2)
    for (const payment of paid)
      expect(payment).toMatchObject({
        subtotalCents: 1000,
        usdCents: 1000,
        totalCents: 1200,
        chargedCents: 1200,
        lines: [{ cents: 1000 }, { cents: 50 }, { cents: 150 }],
      })
  })

  test('is rejected if the total with fees exceeds the maximum', async () => {
    const plan = await planOf()
    const answer = await shop.post(
      '/api/subscription/shop/subscribers/token',
      {
        planCode: plan.code,
        token: await shop.tokenOf('approved'),
        fixedFee: { cents: Number.MAX_SAFE_INTEGER },
      },
      await customer(),
    )
    expect(answer).toMatchObject({ status: 400, body: { issues: ['fixedFee'] } })
  })

  test('with a declined card creates no subscription', async () => {
    const plan = await planOf()
    expect(await subscribe(plan.code, 'declined')).toMatchObject({ status: 402 })
    expect(await stateOf(plan.id)).toBeUndefined()
  })

  test('is rejected the second time, even if concurrent', async () => {
    const plan = await planOf()
    const alice = await customer()
    const answers = await Promise.all([1, 2, 3].map(() => subscribe(plan.code, 'approved', alice)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is visible only to its customer', async () => {
    const plan = await planOf()
    const [alice, bob] = [await customer(), await customer()]
    await subscribe(plan.code, 'approved', alice)
    const list = async (who: Record<string, string>, merchant = shop.merchant()) =>
      shop.get('/api/subscription/shop/subscribers', { ...who, ...merchant })
    expect((await list(alice)).body).toHaveLength(1)
    expect((await list(bob)).body).toEqual([])
    expect((await list(alice, shop.merchant('other'))).status).toBe(403)
  })
})

describe('billing', () => {
  test('pays each missed period once after a clock change, in order and dated on its own day', async () => {
    const { subscriptionId } = (await subscribe((await planOf()).code)).body
    await moveTo('2026-06-15T00:00:00Z')
    await moveTo('2026-06-15T00:00:00Z')
    expect(await datesOf(subscriptionId)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  test('runs exactly when a period is due', async () => {
    const { subscriptionId } = (await subscribe((await planOf({ interval: 'Weekly' })).code)).body
    await moveTo(start + 7 * day - 1)
    expect(await paymentsOf(subscriptionId)).toHaveLength(1)
    await moveTo(start + 7 * day)
    expect(await paymentsOf(subscriptionId)).toHaveLength(2)
  })

  test('pays each period once with several processes', async () => {
    const { subscriptionId } = (await subscribe((await planOf({ interval: 'Daily' })).code)).body
    shop.setTime(start + 5 * day)
    const database = await shop.service.database()
    await Promise.all([1, 2, 3, 4].map(() => billSubscriptions(shop.service, database)))
    expect(await datesOf(subscriptionId)).toHaveLength(6)
  })

  test('ends after the last paid period, without further charges', async () => {
    const plan = await planOf({ interval: 'Daily', duration: 3 })
    const { subscriptionId } = (await subscribe(plan.code)).body
    await moveTo(start + 2 * day)
    expect(await stateOf(plan.id)).toMatchObject({ status: 'Active' })
    expect(await stateOf(plan.id)).not.toHaveProperty('nextPaymentAt')
    await moveTo(start + 30 * day)
    expect(await stateOf(plan.id)).toMatchObject({ status: 'Concluded' })
    expect(await paymentsOf(subscriptionId)).toHaveLength(3)
  })

  test('retries a declined card on later days, then stops', async () => {
    const plan = await planOf()
    const { subscriptionId } = (await subscribe(plan.code, 'declinedLater')).body
    await moveTo('2026-12-01T00:00:00Z')
    expect(await datesOf(subscriptionId)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-01',
      '2026-03-04',
      '2026-03-09',
      '2026-03-16',
    ])
    expect(await movesOf(subscriptionId)).toEqual(['Active', 'Failed'])
    expect(await stateOf(plan.id)).not.toHaveProperty('nextPaymentAt')
  })

  test('makes a subscription Active again after a paid retry, with its original days', async () => {
    const plan = await planOf()
    const alice = await customer()
    const { subscriptionId } = (await subscribe(plan.code, 'declinedLater', alice)).body
    await moveTo('2026-03-02T00:00:00Z')
    expect(await stateOf(plan.id)).toMatchObject({ status: 'Failed' })
    const path = `/sandbox/subscription/shop/subscribers/${subscriptionId}/card`
    const later = { ...(await shop.customer(String(alice['x-svc-auth-user-id']))), ...onBase }
    await shop.post(path, { token: await shop.tokenOf('approved') }, later)
    await moveTo('2026-03-02T00:00:00Z')
    expect(await movesOf(subscriptionId)).toEqual(['Active', 'Failed', 'Active'])
    expect(await stateOf(plan.id)).toMatchObject({ nextPaymentAt: '2026-03-31T12:00:00.000Z' })
  })

  test('sets a subscription to Expired once the card has expired', async () => {
    const plan = await planOf()
    const token = (
      await shop.post(
        '/api/tokenize',
        { number: '4000009900000012', cvv: '123', expMonth: '3', expYear: '26' },
        shop.merchant(),
      )
    ).body.token
    const path = '/api/subscription/shop/subscribers/token'
    const { subscriptionId } = (await shop.post(path, { planCode: plan.code, token }, await customer())).body
    await moveTo('2026-12-01T00:00:00Z')
    expect(await datesOf(subscriptionId)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31'])
    expect(await movesOf(subscriptionId)).toEqual(['Active', 'Expired'])
  })
})

test('every period is charged the card fees that applied at the purchase', async () => {
  await shop.set({ cardFees: { fixedCents: 10, variableBps: 100 } })
  const { subscriptionId } = (await subscribe((await planOf({ interval: 'Daily' })).code)).body
  await shop.set({})
  await moveTo(start + day)
  expect((await paymentsOf(subscriptionId)).map(({ chargedCents }) => chargedCents)).toEqual([1010, 1010])
})

describe('a subscription', () => {
  const take = (subscriptionId: string) =>
    shop.post('/api/checkout/merchant-initiated-transaction', { subscriptionId }, shop.merchant())

  test('to a merchant-initiated plan is charged only on request, and ends with its last payment', async () => {
    const plan = await planOf({ merchantInitiated: true, duration: 2 })
    const { subscriptionId } = (await subscribe(plan.code)).body
    await moveTo('2027-01-01T00:00:00Z')
    expect(await paymentsOf(subscriptionId)).toHaveLength(1)
    expect((await take(subscriptionId)).body.paymentId).toMatch(/^pay_/)
    expect(await stateOf(plan.id)).toMatchObject({ status: 'Concluded' })
    expect((await take(subscriptionId)).body.code).toBe('SUBSCRIPTION_STATE')
  })

  test('to a plan that the service bills cannot be charged on request', async () => {
    const { subscriptionId } = (await subscribe((await planOf()).code)).body
    expect((await take(subscriptionId)).status).toBe(409)
  })

  test('to a merchant-initiated plan becomes Failed if the card is declined', async () => {
    const plan = await planOf({ merchantInitiated: true })
    const { subscriptionId } = (await subscribe(plan.code, 'declinedLater')).body
    expect((await take(subscriptionId)).status).toBe(402)
    expect(await stateOf(plan.id)).toMatchObject({ status: 'Failed' })
  })
})

describe('a merchant', () => {
  test('can block and unblock a subscription, whose blocked time is not charged', async () => {
    const plan = await planOf({ interval: 'Daily' })
    const { subscriptionId } = (await subscribe(plan.code)).body
    expect((await act(subscriptionId, 'block')).body.status).toBe('Blocked')
    await moveTo(start + 10 * day)
    expect(await paymentsOf(subscriptionId)).toHaveLength(1)
    expect((await act(subscriptionId, 'unblock')).body.status).toBe('Active')
    await moveTo(start + 11 * day)
    expect(await datesOf(subscriptionId)).toEqual(['2026-01-31', '2026-02-10', '2026-02-11'])
  })

  test('can cancel a subscription permanently', async () => {
    const { subscriptionId } = (await subscribe((await planOf({ interval: 'Daily' })).code)).body
    expect((await act(subscriptionId, 'cancel')).body.status).toBe('Canceled')
    await moveTo(start + 10 * day)
    expect(await paymentsOf(subscriptionId)).toHaveLength(1)
    for (const what of ['cancel', 'block', 'unblock'])
      expect((await act(subscriptionId, what)).body.code).toBe('SUBSCRIPTION_STATE')
  })
})

test.each([
  ['by the merchant', { merchantInitiated: true }],
  ['with a new card', { interval: 'Daily' }],
])('a failed subscription that was canceled is not charged %s', async (_, terms) => {
  const plan = await planOf(terms)
  const carol = async () => ({ ...(await shop.customer('carol')), ...onBase })
  const { subscriptionId } = (await subscribe(plan.code, 'declinedLater', await carol())).body
  const take = () =>
    shop.post('/api/checkout/merchant-initiated-transaction', { subscriptionId }, shop.merchant())
  await take()
  await moveTo(start + day)
  const own = `/sandbox/subscription/shop/subscribers/${subscriptionId}`
  expect((await shop.post(`${own}/cancel`, {}, await carol())).body.status).toBe('Failed')
  const token = await shop.tokenOf('approved')
  expect((await shop.post(`${own}/card`, { token }, await carol())).status).toBe(200)
  await moveTo(start + 2 * day)
  expect((await take()).status).toBe(409)
  expect((await paymentsOf(subscriptionId)).map(({ status }) => status)).toEqual(['settled', 'failed'])
})

test('a canceled subscription that was blocked cannot be unblocked, and its plan can be bought again', async () => {
  const plan = await planOf({ interval: 'Daily' })
  const alice = await customer()
  const { subscriptionId } = (await subscribe(plan.code, 'approved', alice)).body
  await act(subscriptionId, 'block')
  expect((await subscribe(plan.code, 'approved', alice)).status).toBe(409)
  expect((await act(subscriptionId, 'cancel')).body.status).toBe('Blocked')
  expect((await act(subscriptionId, 'unblock')).status).toBe(409)
  expect((await subscribe(plan.code, 'approved', alice)).status).toBe(200)
})

test('a merchant-initiated plan cannot be bought again after a failed payment, which can still be charged', async () => {
  const plan = await planOf({ merchantInitiated: true })
  const alice = await customer()
  const { subscriptionId } = (await subscribe(plan.code, 'declinedLater', alice)).body
  await shop.post('/api/checkout/merchant-initiated-transaction', { subscriptionId }, shop.merchant())
  expect(await subscribe(plan.code, 'approved', alice)).toMatchObject({
    status: 409,
    body: { code: 'SUBSCRIPTION_STATE', details: { subscriptionId, status: 'Failed' } },
  })
})

test('a customer can only cancel their own subscription', async () => {
  const [alice, bob] = [await customer(), await customer()]
  const { subscriptionId } = (await subscribe((await planOf()).code, 'approved', alice)).body
  const path = `/sandbox/subscription/shop/subscribers/${subscriptionId}/cancel`
  expect((await shop.post(path, {}, bob)).status).toBe(404)
  expect((await shop.post(path, {}, alice)).body.status).toBe('Canceled')
})

test('every emitted event matches the schema', async () => {
  const events = await shop.events()
  for (const event of events) expect(() => parseRecord(webhookEvent, eventBody(event))).not.toThrow()
  const types = new Set(events.map(({ type }) => type).filter((type) => type.startsWith('subscription.')))
  expect([...types].sort()).toEqual([
    'subscription.active',
    'subscription.blocked',
    'subscription.canceled',
    'subscription.concluded',
    'subscription.created',
    'subscription.expired',
    'subscription.failed',
  ])
})

describe('billSubscriptions', () => {
  const start = (anchor: string, ...rest: [Parameters<typeof periodStart>[1], number]) =>
    periodStart(new Date(anchor), ...rest).toISOString()

  describe('counts periods', () => {
    test.each([
      ['2026-01-31T10:00:00.000Z', 'Monthly', 1, '2026-02-28T10:00:00.000Z'],
      ['2026-01-31T10:00:00.000Z', 'Monthly', 2, '2026-03-31T10:00:00.000Z'],
      ['2026-01-31T10:00:00.000Z', 'Monthly', 3, '2026-04-30T10:00:00.000Z'],
      ['2028-01-31T10:00:00.000Z', 'Monthly', 1, '2028-02-29T10:00:00.000Z'],
      ['2026-12-31T23:59:59.999Z', 'Monthly', 2, '2027-02-28T23:59:59.999Z'],
      ['2028-02-29T00:00:00.000Z', 'Yearly', 1, '2029-02-28T00:00:00.000Z'],
      ['2028-02-29T00:00:00.000Z', 'Yearly', 4, '2032-02-29T00:00:00.000Z'],
      ['2100-02-28T00:00:00.000Z', 'Daily', 1, '2100-03-01T00:00:00.000Z'],
      ['2026-05-01T12:30:00.000Z', 'Weekly', 5, '2026-06-05T12:30:00.000Z'],
      ['2026-05-01T12:30:00.000Z', 'Monthly', 0, '2026-05-01T12:30:00.000Z'],
    ] as const)('from %s: %s, number %i, starts at %s', (anchor, interval, n, expected) => {
      expect(start(anchor, interval, n)).toBe(expected)
    })
  })
})
