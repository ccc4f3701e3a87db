import { hasError, isStaticPix, parsePix } from 'pix-utils'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { brCode, expirePayments } from './orders.ts'

let shop: TestShop
let alice: Record<string, string>
const start = Date.parse('2026-05-01T12:00:00Z')
const subtotal = { cents: 1000, currency: 'USD' }

beforeAll(async () => {
  shop = await testShop()
  alice = { ...(await shop.customer('alice')), ...onBase }
})
beforeEach(() => shop.setTime(start))
afterAll(() => shop?.close())

const account = { routingNumber: '021000021', accountNumber: '1234567890' }
const saved = async (id: 'shop' | 'other' = 'shop') =>
  (await shop.post('/sandbox/wire-accounts', account, shop.merchant(id))).body.token
const orders = {
  wire: async (more: object = {}) =>
    shop.post(
      '/api/checkout/wire/token',
      { subtotal, merchantId: 'shop', token: await saved(), ...more },
      alice,
    ),
  pix: (more: object = {}) =>
    shop.post('/api/checkout/pix', { subtotal, merchantId: 'shop', email: 'a@b.example', ...more }, alice),
  mobileapp: (more: object = {}) =>
    shop.post('/api/checkout/mobileapp/shop', { subtotal, ...more }, { ...alice, ...shop.merchant() }),
}
const rails = Object.keys(orders) as (keyof typeof orders)[] // `Object.keys` loses the type of the keys
const pay = (paymentId: string) => shop.post(`/sandbox/payments/${paymentId}/pay`, {}, shop.merchant())
const statusOf = async (paymentId: string) =>
  (await shop.get(`/api/merchant/payments/${paymentId}`, shop.merchant())).body.status

test('a wire order has account, amount and deadline', async () => {
  expect(await orders.wire({ feePercentage: 1 })).toEqual({
    status: 200,
    body: {
      address: { address1: '1 Sandbox Way', city: 'Wilmington', state: 'DE', zip: '19801', country: 'US' },
      account_number: expect.stringMatching(/^\d+$/),
      wireRoutingNumber: expect.stringMatching(/^\d{9}$/),
      paymentId: expect.stringMatching(/^pay_/),
      recipientName: expect.any(String),
      memo: expect.stringMatching(/^RK[0-9A-F]{12}$/),
      amount: { cents: 1010, currency: 'USD' },
      expires: '2026-05-01T12:05:00.000Z',
    },
  })
})

test('a Pix order has a valid code for the amount in reais', async () => {
  const { body } = await orders.pix()
  expect(body).toMatchObject({ quote: { cents: 5400, currency: 'BRL' }, expires: '2026-05-01T12:05:00.000Z' })
  const pix = parsePix(body.brCode)
  expect(hasError(pix)).toBe(false)
  expect(pix).toMatchObject({ transactionAmount: 54, merchantName: 'shop' })
})

test('a mobile app order has a link to a page on which the customer pays', async () => {
  const { body } = await orders.mobileapp()
  expect(body.expiresAt).toBe('2026-05-01T12:05:00.000Z')
  const page = new URL(body.appLink).pathname
  expect((await shop.get(page)).body).toContain('shop requests 10.00 USD')
  expect((await shop.form(page, { answer: 'pay' })).status).toBe(200)
  expect(await statusOf(body.paymentId)).toBe('settled')
})

describe.each(rails)('an order by %s', (rail) => {
  test('settles once paid', async () => {
    const { paymentId } = (await orders[rail]()).body
    expect(await statusOf(paymentId)).toBe('created')
    expect((await pay(paymentId)).body).toEqual({ paymentId, status: 'settled' })
  })

  test('can be paid only once', async () => {
    const { paymentId } = (await orders[rail]()).body
    const answers = await Promise.all([pay(paymentId), pay(paymentId), pay(paymentId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('can be paid for five minutes', async () => {
    const { paymentId } = (await orders[rail]()).body
    shop.setTime(start + 299_999)
    expect((await pay(paymentId)).status).toBe(200)
  })

  test('cannot be paid after five minutes, even before the expiry pass', async () => {
    const { paymentId } = (await orders[rail]()).body
    shop.setTime(start + 300_000)
    expect(await pay(paymentId)).toMatchObject({ status: 409, body: { details: { status: 'expired' } } })
    await expirePayments(shop.service, await shop.service.database())
    expect(await statusOf(paymentId)).toBe('expired')
    expect((await pay(paymentId)).status).toBe(409)
  })
})

test('orders expire by the service’s clock, even with two concurrent passes', async () => {
  const { paymentId } = (await orders.pix()).body
  const database = await shop.service.database()
  const expire = () => expirePayments(shop.service, database)
  expect(await expire()).toBe(true)
  expect(await statusOf(paymentId)).toBe('created')
  shop.setTime(start + 300_000)
  await Promise.all([expire(), expire()])
  expect(await statusOf(paymentId)).toBe('expired')
  expect(await expire()).toBe(false)
  const events = await shop.events()
  expect(
    events.filter(({ type, data }) => type === 'payment.expired' && data.paymentId === paymentId),
  ).toHaveLength(1)
})

describe('a saved account', () => {
  test('stores only four digits of the account number', async () => {
    expect((await shop.post('/sandbox/wire-accounts', account, shop.merchant())).body).toEqual({
      token: expect.stringMatching(/^wire_/),
      lastFour: '7890',
    })
  })

  test('requires a valid routing number', async () => {
    const wrong = { ...account, routingNumber: '021000022' }
    expect((await shop.post('/sandbox/wire-accounts', wrong, shop.merchant())).body.issues).toEqual([
      'routingNumber',
    ])
  })

  test.each([
    ['a saved account of another merchant', async () => ({ token: await saved('other') }), 'token'],
    ['a different account number', async () => ({ accountNumber: '1234567891' }), 'accountNumber'],
    ['a different routing number', async () => ({ wireRoutingNumber: '011401533' }), 'wireRoutingNumber'],
  ])('is rejected for %s', async (_, more, issue) => {
    expect((await orders.wire(await more())).body.issues).toEqual([issue])
  })
})

describe('Pix', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(alice).filter(([key]) => key !== name))
  const pix = { subtotal, merchantId: 'shop', email: 'a@b.example' }

  test.each([
    ['x-svc-auth-session-key', 401],
    ['x-svc-auth-wallet', 400],
    ['x-svc-auth-blockchain', 400],
    ['x-svc-auth-user-id', 400],
  ])('requires the header %s', async (name, status) => {
    expect((await shop.post('/api/checkout/pix', pix, without(name))).status).toBe(status)
  })
})

test('wire and Pix orders cannot be charged back, so they need no cart', async () => {
  await shop.set({ chargebackProtection: true })
  expect((await orders.wire()).status).toBe(200)
  expect((await orders.pix()).status).toBe(200)
  expect((await orders.mobileapp()).body.issues).toEqual(['chargebackProtectionData', 'x-device-id'])
  await shop.set({})
})

test('a checkout JWT pins the price of an order', async () => {
  const made = await shop.post('/api/checkout/jwt-token', { subtotal }, shop.merchant())
  const jwtToken = made.body.checkoutJwtToken
  expect((await orders.pix({ jwtToken })).status).toBe(200)
  expect((await orders.pix({ jwtToken, subtotal: { cents: 1, currency: 'USD' } })).status).toBe(403)
})

test('an order is rejected with a checkout JWT that sets authOnly', async () => {
  const made = await shop.post('/api/checkout/jwt-token', { subtotal, authOnly: true }, shop.merchant())
  expect(await orders.pix({ jwtToken: made.body.checkoutJwtToken })).toMatchObject({
    status: 403,
    body: { details: { field: 'authOnly' } },
  })
})

test('text that the database cannot store returns a 400', async () => {
  expect((await orders.pix({ webhookInfo: { note: 'a\0b' } })).body.issues).toEqual(['webhookInfo.note'])
  expect((await orders.pix({ webhookInfo: { 'a\0': 1 } })).body.issues).toEqual(['webhookInfo'])
})

describe('brCode', () => {
  const options = {
    key: '5a8d0c1e-7b36-4e4f-9d2a-0f6c3b1e8d47',
    cents: 6750,
    txid: 'RK0123456789ABCDEF',
    name: 'shop',
    city: 'SAO PAULO',
  }
  const parsed = (code: string) => {
    const pix = parsePix(code)
    if (hasError(pix)) throw new Error(pix.message)
    if (!isStaticPix(pix)) throw new Error(pix.type)
    return pix
  }

  test('an independent parser can read the code', () => {
    expect(parsed(brCode(options))).toMatchObject({
      type: 'STATIC',
      pixKey: options.key,
      transactionAmount: 67.5,
      transactionCurrency: '986',
      countryCode: 'BR',
      merchantName: 'shop',
      merchantCity: 'SAO PAULO',
      txid: options.txid,
    })
  })

  test('the CRC detects a changed digit', () => {
    expect(() => parsed(brCode(options).replace('67.50', '67.51'))).toThrow(/crc/)
  })

  test.each([
    [1, '0.01'],
    [99, '0.99'],
    [100, '1.00'],
    [999_999_999_999, '9999999999.99'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(brCode({ ...options, cents })).toContain(`54${String(text.length).padStart(2, '0')}${text}58`)
  })

  test('begins like the central bank’s example', () => {
    // The example of the Manual do BR Code, Banco Central do Brasil: a static code with a random key.
    const example = '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986'
    expect(brCode({ ...options, key: '123e4567-e12b-12d1-a456-426655440000' }).slice(0, example.length)).toBe(
      example,
    )
  })

  test('removes accents from names and shortens them', () => {
    const { merchantName, merchantCity } = parsed(
      brCode({ ...options, name: 'Açaí do João, a loja mais antiga', city: 'São José dos Campos' }),
    )
    expect(merchantName).toBe('Acai do Joao, a loja mais')
    expect(merchantCity).toBe('Sao Jose dos Ca')
  })

  test('replaces a name without ASCII letters', () => {
    expect(parsed(brCode({ ...options, name: '商店' })).merchantName).toBe('SANDBOX')
  })
})
