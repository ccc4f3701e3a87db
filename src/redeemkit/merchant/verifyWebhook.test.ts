import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { orderKey } from './index.ts'
import { InvalidWebhookSignatureError, verifyWebhook } from './verifyWebhook.ts'

const secret = 'whsec_shop'
const seconds = 1_780_000_000
const now = () => seconds * 1000
const body = JSON.stringify({
  id: 'evt_1',
  type: 'whitelist.approved',
  createdAt: '2026-05-01T12:00:00.000Z',
  data: { blockchain: 'base', programId: `0x${'11'.repeat(20)}`, status: 'approved' },
})
/** A redeem of 10.00 with 0.10 refunded. */
const redeemed = {
  id: 'evt_2',
  type: 'redeem.redeemed',
  createdAt: '2026-05-01T12:00:00.000Z',
  data: {
    merchantId: 'sandbox-shop',
    wallet: `0x${'11'.repeat(20)}`,
    blockchain: 'base',
    chainId: 84532,
    creditsContract: `0x${'22'.repeat(20)}`,
    creditSeed: 'sandbox-shop',
    nonce: '0xcff8661c04b781a2804ce2e8d1963b73c9a1319707043caa4d50cc6f1323a38d',
    orderKey: '0xcff8661c04b781a2804ce2e8',
    kind: 'token',
    receiver: `0x${'33'.repeat(20)}`,
    amount: '10000000',
    usdcAmount: '4000000',
    charged: '6030000',
    refunded: '100000',
    gasFee: '30000',
    hash: `0x${'44'.repeat(32)}`,
    blockNumber: 7,
    logIndex: 3,
    purchaseId: 'order 1',
    webhookInfo: { cart: 7 },
  },
}
const mac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex')
const v1 = (key = secret, at = seconds) => `v1=${mac(`${at}.${body}`, key)}`
const signed = (header = `t=${seconds},${v1()}`) => ({
  body,
  headers: { 'x-svc-signature': header },
  secret,
  now,
})

describe('signatures of other services', () => {
  // stripe/stripe-dotnet: EventUtilityTest.cs and Resources/event_test_signature.json, signed with openssl
  const dotnet = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`
  // arlyon/async-stripe: test_webhook_construct_event.
  const rust = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "ii_123",
      "object": "invoiceitem",
      "amount": 1000,
      "currency": "usd",
      "customer": "cus_123",
      "date": 1533204620,
      "description": "Test Invoice Item",
      "discountable": false,
      "invoice": "in_123",
      "livemode": false,
      "metadata": {},
      "period": {
        "start": 1533204620,
        "end": 1533204620
      },
      "proration": false,
      "quantity": 3
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "invoiceitem.created"
}
`
  test.each([
    [
      'stripe-dotnet',
      dotnet,
      't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    ],
    [
      'async-stripe',
      rust,
      't=1533204620,v1=82216eca827bcb7b34b8055eb2d2d9e6bc13b9ac39ded14a61e69f70c565f53a,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    ],
  ])('%s', async (_, text, header) => {
    const event = await verifyWebhook({
      body: text,
      headers: new Headers({ 'Stripe-Signature': header }),
      headerName: 'stripe-signature',
      secret: 'webhook_secret',
      now: () => 1_533_204_620_000,
      parse: JSON.parse,
    })
    expect(event).toMatchObject({ id: 'evt_123', created: 1_533_204_620 })
  })
})

describe('a signed webhook', () => {
  test('is returned as its event', async () => {
    const event = await verifyWebhook(signed())
    expect(event.type === 'whitelist.approved' && event.data.programId).toBe(`0x${'11'.repeat(20)}`)
  })

  test('may be passed as bytes', async () => {
    expect(await verifyWebhook({ ...signed(), body: new TextEncoder().encode(body) })).toHaveProperty('id')
  })

  test.each([
    ['v1 before t', `${v1()},t=${seconds}`],
    ['two v1, and only the second is valid', `t=${seconds},v1=${'00'.repeat(32)},${v1()}`],
    ['spaces between the items', `t=${seconds}, ${v1()}`],
    ['unknown schemes', `t=${seconds},v0=1,${v1()},v2=xyz`],
    ['a v1 that is too short, and a valid one', `t=${seconds},v1=00,${v1()}`],
    ['eight v1', `t=${seconds},${Array(8).fill(v1()).join()}`],
  ])('may have %s', async (_, header) => {
    expect(await verifyWebhook(signed(header))).toHaveProperty('id', 'evt_1')
  })

  test('is valid under both secrets during a rotation', async () => {
    const both = { secret: ['whsec_new', secret] }
    expect(await verifyWebhook({ ...signed(), ...both })).toHaveProperty('id')
    expect(await verifyWebhook({ ...signed(`t=${seconds},${v1('whsec_new')}`), ...both })).toHaveProperty(
      'id',
    )
  })

  test('may have its signature in a header with a prefix, in any casing', async () => {
    const headers = { 'X-Their-Signature': `t=${seconds},${v1()}` }
    expect(await verifyWebhook({ ...signed(), headers, headerPrefix: 'x-their-' })).toHaveProperty('id')
    // Node has a list for a repeated header, and a header may be named like a method
    const lists = { get: 'x', 'x-other': 'y', 'x-svc-signature': [`t=${seconds}`, v1()] }
    expect(await verifyWebhook({ ...signed(), headers: lists })).toHaveProperty('id')
  })

  test('of a redeem has the order key and the amounts', async () => {
    const text = JSON.stringify(redeemed)
    const header = `t=${seconds},v1=${mac(`${seconds}.${text}`)}`
    const event = await verifyWebhook({ ...signed(header), body: text })
    if (event.type !== 'redeem.redeemed') throw new Error(event.type)
    const { orderKey: key, amount, refunded, ...data } = event.data
    expect(key).toBe(orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }))
    expect(BigInt(amount ?? '') - BigInt(refunded ?? '')).toBe(9_900_000n)
    expect(data).toMatchObject({ kind: 'token', chainId: 84532, logIndex: 3, purchaseId: 'order 1' })
  })

  test.each([
    ['a short order key', { orderKey: '0xcff8661c04b781a2804ce2' }],
    ['an amount that is a number', { amount: 10_000_000 }],
    ['a negative amount', { amount: '-1' }],
    ['a fraction', { refunded: '0.1' }],
    ['a negative log index', { logIndex: -1 }],
  ])('of a redeem must not have %s', async (_, change) => {
    const text = JSON.stringify({ ...redeemed, data: { ...redeemed.data, ...change } })
    const header = `t=${seconds},v1=${mac(`${seconds}.${text}`)}`
    await expect(verifyWebhook({ ...signed(header), body: text })).rejects.toMatchObject({
      name: 'InvalidRecordError',
      message: expect.stringMatching(/^The webhook is invalid/),
    })
  })

  test('of an unknown type keeps its data', async () => {
    const other = body.replace('whitelist.approved', 'invoice.paid')
    const header = `t=${seconds},v1=${mac(`${seconds}.${other}`)}`
    const event = await verifyWebhook({ ...signed(header), body: other })
    expect(event.data).toMatchObject({ blockchain: 'base' })
  })
})

describe('a webhook is rejected with', () => {
  /** Returns a correctly signed header with another time. */
  const atTime = (time: string) => ({
    headers: { 'x-svc-signature': `t=${time},v1=${mac(`${time}.${body}`)}` },
  })

  test.each([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: 'whsec_other' }],
    ['a time that was not signed', { headers: { 'x-svc-signature': `t=${seconds + 1},${v1()}` } }],
    ['no header', { headers: {} }],
    ['an empty header', { headers: { 'x-svc-signature': '' } }],
    ['no v1', { headers: { 'x-svc-signature': `t=${seconds},v0=${'00'.repeat(32)}` } }],
    ['no t', { headers: { 'x-svc-signature': v1() } }],
    ['two times', { headers: { 'x-svc-signature': `t=${seconds},t=1,${v1()}` } }],
    ['a signed time that is not a whole number', atTime('1.78e9')],
    ['a signed time with too many digits', atTime(`000${seconds}`)],
    ['a signed time after other text', atTime(` ${seconds}`.replace(' ', '+'))],
    ['a short v1', { headers: { 'x-svc-signature': `t=${seconds},v1=${mac('').slice(2)}` } }],
    ['nine v1', { headers: { 'x-svc-signature': `t=${seconds},${Array(9).fill(v1()).join()}` } }],
  ])('%s', async (_, change) => {
    await expect(verifyWebhook({ ...signed(), ...change })).rejects.toThrow(
      expect.objectContaining({ constructor: InvalidWebhookSignatureError, field: 'x-svc-signature' }),
    )
  })

  const digits = '0'.repeat(64)
  test.each([`v1=${digits.slice(1)}`, `v1=${digits}0`, `v1=x${digits}`, `v1=${digits}x`, `v0=${digits}`])(
    'a malformed signature, which the error names: %s',
    async (malformed) => {
      const headers = { 'x-svc-signature': `t=${seconds},${malformed}` }
      await expect(verifyWebhook({ ...signed(), headers })).rejects.toThrow("The webhook's signature is")
    },
  )

  test.each([
    [-301, undefined, 'signed 301 seconds ahead of this clock; 300 are allowed'],
    [-300, undefined, undefined],
    [300, undefined, undefined],
    [301, undefined, 'signed 301 seconds ago; 300 are allowed'],
    [0, 0, undefined],
    [1, 0, 'signed 1 seconds ago; 0 are allowed'],
  ])('a clock %i seconds from the signature, with a tolerance of %s: %s', async (ahead, tolerance, why) => {
    const options = { toleranceSeconds: tolerance, now: () => (seconds + ahead) * 1000 }
    const result = verifyWebhook({ ...signed(), ...options })
    if (why === undefined) expect(await result).toHaveProperty('id')
    else
      await expect(result).rejects.toMatchObject({
        name: 'StaleWebhookError',
        field: 'x-svc-signature',
        message: expect.stringContaining(why),
      })
  })

  test('signed bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(`${body.slice(0, -1)},"more":"\u00ff"}`, 'latin1')
    const digest = createHmac('sha256', secret).update(`${seconds}.`).update(bytes).digest('hex')
    await expect(
      verifyWebhook({ ...signed(`t=${seconds},v1=${digest}`), body: bytes }),
    ).rejects.toMatchObject({ name: 'InvalidJsonError', field: 'body' })
  })

  test('signed text that is not JSON', async () => {
    const header = `t=${seconds},v1=${mac(`${seconds}.{`)}`
    await expect(verifyWebhook({ ...signed(header), body: '{' })).rejects.toMatchObject({
      name: 'InvalidJsonError',
      field: 'body',
    })
  })

  test('a body that was already parsed', async () => {
    // JavaScript callers can pass any value
    const parsed = JSON.parse(body) as string
    await expect(verifyWebhook({ ...signed(), body: parsed })).rejects.toThrow('raw text or bytes')
  })

  test.each([[''], [[]], [['', secret]], ['undefined'], ['null'], [' ']])('the secret %j', async (none) => {
    await expect(verifyWebhook({ ...signed(), secret: none })).rejects.toThrow('missing or empty')
  })

  test.each<[string, object]>([
    ['tolerance', { tolerance: 1 }],
    ['headers', { headers: undefined }],
    ['parse', { parse: 'json' }],
    ['toleranceSeconds', { toleranceSeconds: -1 }],
    ['toleranceSeconds', { toleranceSeconds: Number.NaN }],
    ['toleranceSeconds', { toleranceSeconds: '300' }],
  ])('an invalid option: %s', async (field, wrong) => {
    const error = await verifyWebhook({ ...signed(), ...wrong }).catch((caught: Error) => caught)
    expect(error).toMatchObject({ name: 'InvalidOptionError', field })
  })

  test('an error that does not show the secret', async () => {
    const error = await verifyWebhook({ ...signed(), body: '{}' }).catch((caught: Error) => caught)
    expect(String(error)).not.toContain(secret)
  })
})
