import { createHmac } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentIntentNonce } from '../../../redeemkit/evm/usdcAuthorization/paymentIntentNonce.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { payments } from '../../store/tables/index.ts'
import { onBase, type TestShop, testShop, wallet } from '../payments/payments.fixture.ts'

let shop: TestShop
let alice: Record<string, string>
const operator = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const paymentSettlement = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
const stranger = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const subtotal = { cents: 1000, currency: 'USD' }

/** Whether the chain reports that a USDC authorization has paid the order. */
let orderPaid = false
/** A chain with a gas price of 1 gwei, an empty whitelist, and the order's state. */
const chain = {
  blockchain: 'base',
  environment: 'sandbox',
  chainId: 84532,
  client: {
    getBlock: async () => ({ baseFeePerGas: 1_000_000_000n, timestamp: 1n }),
    getFeeHistory: async () => ({ reward: [[0n]] }),
    readContract: async ({ functionName }: { functionName: string }) =>
      functionName === 'orderPaid' ? orderPaid : [false, 0n],
  },
  creditsContract: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  usdc,
  paymentSettlement,
  operator,
  whitelister: undefined,
  walletFactories: new Set(),
  nativePriceCents: () => 300_000n,
  maxPriorityFeePerGas: undefined,
  destinations: new Map(),
} as unknown as EvmChain // its client has only the functions that the tests use

beforeAll(async () => {
  shop = await testShop()
  shop.service.chains = new Map([['base', chain]])
  alice = { ...(await shop.customer('alice')), ...onBase }
})
afterAll(() => shop?.close())

const token = { type: 'token', destination: stranger }
const call = { transaction: { to: stranger, data: '0x12345678' } }
const buy = async (more: object, who = alice) =>
  shop.post(
    '/api/checkout/card/shop',
    { subtotal, card: { cardToken: await shop.tokenOf('approved') }, ...more },
    who,
  )
const rowOf = async (paymentId: string) => {
  const rows = await (await shop.service.database()).select().from(payments)
  return rows.find((row) => row.paymentId === paymentId)
}

test('a payment with a settlement stays authorized, and its record contains the settlement', async () => {
  const { body } = await buy({ transactionData: token, settlementType: 'USDC' })
  expect(body.status).toBe('authorized')
  expect(await rowOf(body.paymentId)).toMatchObject({
    authOnly: false,
    usdCents: 1000,
    carried: { transactionData: token, settlementType: 'USDC' },
  })
})

describe('gas', () => {
  const gas = async (more: object = {}) => {
    const body = { subtotal, transactionData: token, ...more }
    return (await shop.post('/api/checkout/totals/shop', body, alice)).body.card.gasFees.cents
  }

  // 180,000 gas at 1 gwei and 3,000 dollars per coin cost 54 cents.
  test('is paid by the customer', async () => {
    expect(await gas()).toBe(54)
    expect((await buy({ transactionData: token })).body.status).toBe('authorized')
  })

  test('is charged in the payment’s currency, rounded up', async () => {
    expect(await gas({ subtotal: { cents: 1000, currency: 'EUR' } })).toBe(49)
  })

  test('can be paid by the merchant', async () => {
    await shop.set({ gasFeePayer: 'merchant' })
    expect(await gas()).toBe(0)
    await shop.set({})
  })
})

describe('a checkout rejects, before the customer pays,', () => {
  const session = async () => shop.customer('alice')

  test('a call that is not whitelisted', async () => {
    expect(await buy({ transactionData: call })).toMatchObject({
      status: 403,
      body: { code: 'NOT_WHITELISTED' },
    })
  })

  test('a transaction without a wallet', async () => {
    expect(await buy({ transactionData: token }, await session())).toMatchObject({ status: 400 })
  })

  test('credits without a wallet', async () => {
    expect(await buy({ settlementType: 'Credits' }, await session())).toMatchObject({ status: 400 })
  })

  test('an unsupported chain', async () => {
    const onPolygon = { ...alice, 'x-svc-auth-blockchain': 'polygon' }
    expect((await buy({ transactionData: token }, onPolygon)).body.issues).toEqual(['x-svc-auth-blockchain'])
  })

  test.each([{ transactionData: token }, { settlementType: 'Credits' }])(
    'a settlement on a chain without a settlement contract: %o',
    async (more) => {
      shop.service.chains = new Map([['base', { ...chain, paymentSettlement: undefined }]])
      expect((await buy(more)).body.issues).toEqual(['x-svc-auth-blockchain'])
      shop.service.chains = new Map([['base', chain]])
    },
  )

  test('a call on a service without intent-bound permits', async () => {
    shop.service.kind = 'randomNonce'
    expect((await buy({ transactionData: token })).status).toBe(400)
    shop.service.kind = 'intentBound'
  })

  test('a Stellar transaction on a service without Stellar settlement', async () => {
    expect((await buy({ stellarTransaction: 'AAAA' })).body.issues).toEqual(['stellarTransaction'])
  })

  test('a receiver on an unsupported chain', async () => {
    const key = jwt(
      { address: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' },
      'the secret of the shop, 32 characters',
    )
    expect((await buy({ destinationAuthKey: key })).body.issues).toEqual(['destinationAuthKey'])
  })

  test('a receiver that the merchant did not sign', async () => {
    const answer = await buy({ settlementType: 'USDC', destinationAuthKey: jwt({ address: stranger }, 'no') })
    expect(answer.status).toBe(401)
  })
})

describe('a receiver other than the customer', () => {
  const secret = 'the secret of the shop, 32 characters'
  const payTo = async (address: string, who = alice) =>
    buy({ settlementType: 'USDC', destinationAuthKey: jwt({ address }, secret) }, who)

  test.each(['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', `0x${'0'.repeat(40)}`])(
    'is rejected before the customer pays if no chain can pay the address: %s',
    async (address) => expect(await payTo(address)).toMatchObject({ status: 400 }),
  )

  test('is paid even if the customer has no wallet', async () => {
    expect((await payTo(stranger, await shop.customer('alice'))).body.status).toBe('authorized')
  })

  test('is rejected on a chain without a settlement contract', async () => {
    shop.service.chains = new Map([['base', { ...chain, paymentSettlement: undefined }]])
    expect((await payTo(stranger)).body.issues).toEqual(['x-svc-auth-blockchain'])
    shop.service.chains = new Map([['base', chain]])
  })
})

test('the receiver is the address that the merchant signed', async () => {
  const key = jwt({ address: stranger }, 'the secret of the shop, 32 characters')
  const { body } = await buy({ settlementType: 'USDC', destinationAuthKey: key })
  expect((await rowOf(body.paymentId))?.carried).toEqual({ settlementType: 'USDC', destination: stranger })
})

describe('a USDC part', () => {
  const authorization = (changes: object = {}) => ({
    from: wallet,
    to: paymentSettlement,
    value: '4000000',
    validAfter: 0,
    validBefore: String(Date.parse('2026-05-01T13:00:00Z') / 1000),
    nonce: `0x${'22'.repeat(32)}`,
    signature: `0x${'33'.repeat(65)}`,
    ...changes,
  })
  const order = { orderKey: '0xcff8661c04b781a2804ce2e8', salt: `0x${'44'.repeat(32)}` } as const
  /** The terms of a payment to the merchant's balance, whose USDC goes to the operator. */
  const terms = {
    ...order,
    customer: wallet,
    outcome: 'payUsdc',
    receiver: operator.address,
    creditSeed: 'shop',
    amount: 10_000_000n,
    value: 4_000_000n,
  } as const
  const nonce = paymentIntentNonce(terms)
  const withUsdc = (changes: object = {}, more: object = order) =>
    buy({ customerUsdcTransferDataV2: authorization({ nonce, ...changes }), ...more })

  test('is not charged to the card, and its record contains order key and salt', async () => {
    const { body } = await withUsdc()
    expect(await rowOf(body.paymentId)).toMatchObject({
      totalCents: 1000,
      chargedCents: 600,
      status: 'authorized',
      carried: order,
    })
  })

  test.each([
    ['another receiver', paymentIntentNonce({ ...terms, receiver: stranger })],
    ['another seed', paymentIntentNonce({ ...terms, creditSeed: 'another' })],
    ['another amount', paymentIntentNonce({ ...terms, amount: 9_990_000n })],
    ['credits', paymentIntentNonce({ ...terms, outcome: 'mintCredits' })],
    ['another order', paymentIntentNonce({ ...terms, orderKey: '0xd188f6f94f0e0a76a8a27bb4' })],
    ['nothing', `0x${'22'.repeat(32)}`],
  ])('is rejected if its nonce commits to %s', async (_, other) => {
    expect(await withUsdc({ nonce: other })).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION', issues: ['customerUsdcTransferDataV2.nonce'] },
    })
  })

  test.each([
    ['orderKey', { salt: order.salt }],
    ['salt', { orderKey: order.orderKey }],
    ['orderKey', { ...order, orderKey: '0x4ff8661c04b781a2804ce2e8' }],
  ])('is rejected without a valid %s', async (name, more) => {
    expect(await withUsdc({}, more)).toMatchObject({ status: 400, body: { issues: [name] } })
  })

  test('is rejected for a paid order', async () => {
    orderPaid = true
    expect(await withUsdc()).toMatchObject({ status: 412, body: { issues: ['orderKey'] } })
    orderPaid = false
  })

  test('is rejected for a payment on Stellar', async () => {
    shop.service.stellarSettlement = async () => ({}) as never // no function is called
    const address = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5'
    const destinationAuthKey = jwt({ address }, 'the secret of the shop, 32 characters')
    expect(await withUsdc({}, { ...order, destinationAuthKey })).toMatchObject({
      status: 400,
      body: { issues: ['destinationAuthKey'] },
    })
    shop.service.stellarSettlement = async () => undefined
  })

  test('can have any nonce on a service with random nonces', async () => {
    shop.service.kind = 'randomNonce'
    expect((await withUsdc({ nonce: `0x${'22'.repeat(32)}` }, {})).body.status).toBe('authorized')
    shop.service.kind = 'intentBound'
  })

  test('can be added to a checkout whose JWT does not contain it', async () => {
    const jwtOf = async (pinned: object) =>
      (await shop.post('/api/checkout/jwt-token', pinned, shop.merchant())).body.checkoutJwtToken
    const signed = { customerUsdcTransferDataV2: authorization({ nonce }), ...order }
    expect((await buy({ ...signed, jwtToken: await jwtOf({ subtotal }) })).body.status).toBe('authorized')
    const jwtToken = await jwtOf({ subtotal, orderKey: '0xd188f6f94f0e0a76a8a27bb4' })
    expect(await buy({ ...signed, jwtToken })).toMatchObject({ status: 403, body: { issues: ['orderKey'] } })
  })

  test.each([
    ['an authorization from another wallet', { from: stranger }, 412],
    ['an authorization to a third party', { to: stranger }, 412],
    ['an expired authorization', { validBefore: String(Date.parse('2026-05-01T12:00:00Z') / 1000) }, 412],
    [
      'an authorization that is not valid yet',
      { validAfter: Date.parse('2026-05-01T12:00:00Z') / 1000 },
      412,
    ],
    ['an amount of zero', { value: '0' }, 400],
    ['a fraction of a cent', { value: '4000001' }, 400],
    ['the whole total', { value: '10000000' }, 400],
  ])('is rejected for %s', async (_, changes, status) => {
    expect((await withUsdc(changes)).status).toBe(status)
  })
})

test('a subtotal in the chain’s USDC counts as dollars, rounded up to a cent', async () => {
  const body = { subtotal: { address: usdc, amount: '12.340001', decimals: 6 } }
  const { card } = (await shop.post('/api/checkout/totals/shop', body, alice)).body
  expect(card.total).toEqual({ cents: 1235, currency: 'USD' })
})

/** Creates an HS256 JWT without the service's code. */
function jwt(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

describe('chargeback protection', () => {
  let shop: TestShop
  let alice: Record<string, string>
  const subtotal = { cents: 1000, currency: 'USD' }
  const cart = { chargebackProtectionData: [{ productName: 'Book', productType: 'eBooks', quantity: 1 }] }
  const device = { 'x-device-id': 'device-1' }

  beforeAll(async () => {
    shop = await testShop()
    alice = { ...(await shop.customer('alice')), ...onBase }
    // Removes the fixture's setting, so that the default applies.
    await shop.set({ chargebackProtection: undefined })
    const plan = { name: 'Monthly', code: 'monthly', interval: 'Monthly', amount: subtotal, active: true }
    await shop.post('/sandbox/subscription/plans', plan, shop.merchant())
  })
  afterAll(() => shop?.close())

  const card = async () => ({ cardToken: await shop.tokenOf('approved') })
  const onFile = async () => {
    const body = { card: await card(), ...cart }
    return (await shop.post('/api/checkout/zero-authorization/shop', body, { ...alice, ...device })).body
      .token
  }
  const calls: Record<string, () => Promise<[path: string, body: object, headers?: object]>> = {
    'a card': async () => ['/api/checkout/card/shop', { subtotal, card: await card() }],
    'a card on file': async () => ['/api/checkout/token/shop', { subtotal, token: await onFile() }],
    'saving a card': async () => ['/api/checkout/zero-authorization/shop', { card: await card() }],
    'the mobile app': async () => ['/api/checkout/mobileapp/shop', { subtotal }, shop.merchant()],
    'a subscription': async () => [
      '/api/subscription/shop/subscribers/token',
      { planCode: 'monthly', token: await onFile() },
    ],
  }

  describe('requires, by default, the cart and the device of', () => {
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

  test.each([' ', 'x'.repeat(257)])('rejects the device id %j', async (name) => {
    const headers = { ...alice, 'x-device-id': name }
    const body = { subtotal, card: await card(), ...cart }
    expect((await shop.post('/api/checkout/card/shop', body, headers)).body.issues).toEqual(['x-device-id'])
  })

  test('requests no challenge if the merchant has switched off 3DS', async () => {
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
})
