import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'

let shop: TestShop
let alice: Record<string, string>
const subtotal = { cents: 1000, currency: 'USD' }
const cart = { chargebackProtectionData: [{ productName: 'Book', productType: 'eBooks', quantity: 1 }] }
const device = { 'x-device-id': 'device-1' }

beforeAll(async () => {
  shop = await testShop()
  alice = { ...(await shop.customer('alice')), ...onBase }
  // As in a service that was started without settings.
  await shop.set({ chargebackProtection: undefined })
  const plan = { name: 'Monthly', code: 'monthly', interval: 'Monthly', amount: subtotal, active: true }
  await shop.post('/sandbox/subscription/plans', plan, shop.merchant())
})
afterAll(() => shop?.close())

const card = async () => ({ cardToken: await shop.tokenOf('approved') })
const onFile = async () => {
  const body = { card: await card(), ...cart }
  return (await shop.post('/api/checkout/zero-authorization/shop', body, { ...alice, ...device })).body.token
}
const calls: Record<string, () => Promise<[path: string, body: object, headers?: object]>> = {
  'a card': async () => ['/api/checkout/card/shop', { subtotal, card: await card() }],
  'a card on file': async () => ['/api/checkout/token/shop', { subtotal, token: await onFile() }],
  'putting a card on file': async () => ['/api/checkout/zero-authorization/shop', { card: await card() }],
  'the mobile app': async () => ['/api/checkout/mobileapp/shop', { subtotal }, shop.merchant()],
  'a subscription': async () => [
    '/api/subscription/shop/subscribers/token',
    { planCode: 'monthly', token: await onFile() },
  ],
}

describe('by default, chargeback protection requires the cart and the device of', () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const [path, body, more] = await call()
    const headers = { ...alice, ...more }
    expect(await shop.post(path, body, headers)).toMatchObject({
      status: 400,
      body: { issues: ['chargebackProtectionData', 'x-device-id'] },
    })
    const empty = { ...body, chargebackProtectionData: [] }
    expect((await shop.post(path, empty, { ...headers, ...device })).body.issues).toEqual([
      'chargebackProtectionData',
    ])
    expect((await shop.post(path, { ...body, ...cart }, headers)).body.issues).toEqual(['x-device-id'])
    const { status, body: paid } = await shop.post(path, { ...body, ...cart }, { ...headers, ...device })
    expect(status).toBe(200)
    const payment = await shop.get(`/api/merchant/payments/${paid.paymentId}`, shop.merchant())
    expect(payment.body.deviceId).toBe('device-1')
  })
})

test.each([' ', 'x'.repeat(257)])('the device %j is refused', async (name) => {
  const headers = { ...alice, 'x-device-id': name }
  const body = { subtotal, card: await card(), ...cart }
  expect((await shop.post('/api/checkout/card/shop', body, headers)).body.issues).toEqual(['x-device-id'])
})

test('a merchant can switch 3DS off: no card is challenged', async () => {
  const pay = async (more: object = {}) =>
    shop.post(
      '/api/checkout/card/shop',
      { subtotal, card: { cardToken: await shop.tokenOf('challenge') }, ...cart, ...more },
      { ...alice, ...device },
    )
  expect((await pay()).status).toBe(412)
  await shop.set({ chargebackProtection: undefined, threeDs: false })
  expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } })
  expect((await pay({ threeDsChallengePreference: 'Challenge' })).status).toBe(200)
})
