import { describe, expect, test } from 'vitest'
import type { CheckoutJwtBody } from '../schema/checkout.ts'
import { createMerchantHandler } from './createMerchantHandler.ts'
import { apiKey, service } from './merchant.fixture.ts'

const order = { purchaseId: 'order 1', subtotal: { cents: 1000 } }
const jwt = { checkoutJwtToken: 'a.b.c' }

/** Parameters of a checkout JWT, from the public documentation of another service. */
const observed = {
  origins: ['https://shop.example'],
  allowedPaymentMethods: ['card', 'pix'],
  planCode: 'gold',
  supportEmail: 'help@shop.example',
  threeDsChallengePreference: 'Challenge',
  isZeroAuthorization: false,
  presentment: 'EUR',
  accountFundingTransaction: { recipientAftInfo: { firstName: 'Ada' } },
  redemptionCheck: true,
} satisfies Partial<CheckoutJwtBody>

test('the checkout JWT accepts fields of other services', async () => {
  const { client, sent } = service({ answers: [jwt] })
  await client.createCheckoutJwt({ body: { ...order, ...observed } })
  expect(sent[0]?.body).toEqual({ ...order, ...observed })
})

test('the card of an earlier payment is charged', async () => {
  const { client, sent } = service({ answers: [{ paymentId: 'pay_2' }] })
  const body = { originalPaymentId: 'pay_1', subtotal: { cents: 500 } }
  expect(await client.merchantInitiatedTransaction({ userId: 'alice', body })).toEqual({ paymentId: 'pay_2' })
  expect(sent[0]).toMatchObject({ body, headers: { 'x-svc-auth-user-id': 'alice' } })
})

test('a page may not charge the card of an earlier payment', () => {
  const { client } = service({})
  const expose = { merchantInitiatedTransaction: true } as never
  expect(() => createMerchantHandler({ client, authenticate: () => ({ userId: 'alice' }), expose })).toThrow(
    expect.objectContaining({ field: 'expose.merchantInitiatedTransaction' }),
  )
})

describe('extraFields', () => {
  test('are added to a body that has been checked', async () => {
    const { client, sent } = service({ answers: [jwt] })
    await client.createCheckoutJwt({ body: order, extraFields: { theme: { style: 'pill' } } })
    expect(sent[0]?.body).toEqual({ ...order, theme: { style: 'pill' } })
    await expect(
      client.createCheckoutJwt({ body: { ...order, subtotal: { cents: -1 } }, extraFields: { theme: {} } }),
    ).rejects.toMatchObject({ field: 'body.subtotal.cents' })
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['a field of the body', { subtotal: { cents: 1 } }, 'extraFields.subtotal'],
    ['the merchant that the client fills in', { merchantId: 'other' }, 'extraFields.merchantId'],
  ])('never replace %s', async (_, extraFields, field) => {
    const { client, sent } = service({})
    const pix = client.pixCheckout({
      sessionKey: 'key',
      userId: 'alice',
      wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      blockchain: 'base',
      body: { subtotal: { cents: 1000 }, email: 'a@b.c' },
      extraFields,
    })
    await expect(pix).rejects.toMatchObject({ name: 'InvalidOptionError', field })
    expect(sent).toEqual([])
  })

  test.each([
    ['the API key', { note: `key ${apiKey}` }, 'apiKey'],
    ['no object', 'theme' as never, 'extraFields'],
  ])('with %s are rejected', async (_, extraFields, field) => {
    const { client, sent } = service({})
    await expect(client.createCheckoutJwt({ body: order, extraFields })).rejects.toMatchObject({ field })
    expect(sent).toEqual([])
  })

  test('with a value that JSON cannot represent name the field', async () => {
    const { client, sent } = service({})
    const error = { name: 'InvalidOptionError', field: 'extraFields.limit' }
    await expect(
      client.createCheckoutJwt({ body: order, extraFields: { limit: { units: 1n } } }),
    ).rejects.toMatchObject(error)
    await expect(
      client.request('POST', '/api/events', { body: { type: 'SignUp', limit: 1n } }),
    ).rejects.toMatchObject({ ...error, field: 'body.limit' })
    expect(sent).toEqual([])
  })

  test('do not make a mint repeatable', async () => {
    const { client, sent } = service({ answers: [new Error('lost')] })
    const body = {
      wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      blockchain: 'base',
      amount: { cents: 1 },
    } as const
    const minted = client.mintCredits({ body, extraFields: { idempotencyKey: '' } })
    await expect(minted).rejects.toMatchObject({ name: 'CallOutcomeUnknownError' })
    expect(sent).toHaveLength(1)
  })

  test.each(['createCheckoutJwt', 'mintCredits'] as const)(
    'are named in the fix for a field that the record of %s does not have',
    async (call) => {
      const { client } = service({})
      const asked = client[call]({ body: { deviceId: 'd1' } } as never)
      await expect(asked).rejects.toMatchObject({ fix: expect.stringContaining('`extraFields`') })
    },
  )

  test('are rejected by a call without a body', async () => {
    const options = { paymentId: 'pay_1', extraFields: { a: 1 } } as never
    await expect(service({}).client.getPayment(options)).rejects.toMatchObject({ field: 'extraFields' })
  })
})

describe('request', () => {
  test('sends the given fields, with the key and the headers', async () => {
    const { client, sent } = service({ answers: [{ events: [] }] })
    const options = { userId: 'alice', deviceId: 'd1', query: { limit: 2 }, body: { eventType: 'SignUp' } }
    expect(await client.request('PUT', '/api/events/alice%20b', options)).toEqual({ events: [] })
    expect(sent).toEqual([
      {
        method: 'PUT',
        url: 'https://service.example/api/events/alice%20b?limit=2',
        headers: {
          accept: 'application/json',
          authorization: apiKey,
          'content-type': 'application/json',
          'x-svc-auth-user-id': 'alice',
          'x-device-id': 'd1',
        },
        body: { eventType: 'SignUp' },
      },
    ])
  })

  test.each([
    ['', undefined],
    ['"token"', 'token'],
    ['[1]', [1]],
    ['true', true],
    ['OK', 'OK'],
  ])('returns the response %j', async (text, answer) => {
    const { client } = service({ answers: [new Response(text)] })
    expect(await client.request('GET', '/api/utils/anything')).toEqual(answer)
  })

  test.each([
    '/health',
    'https://elsewhere.example/api/x',
    '/api/../x',
    '/api/x/..',
    '/api/%2e%2e/x',
    '/api/a%2f..%2fx',
    '/api//x',
    '/api/x?y=1',
    '/api/{x}',
    '/api/é',
    '/api/%ff',
    undefined as never,
  ])('rejects the path %s', async (path) => {
    const { client, sent } = service({})
    await expect(client.request('GET', path)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'path',
    })
    expect(sent).toEqual([])
  })

  test.each([
    ['method', 'get', {}],
    ['body', 'GET', { body: {} }],
    ['blockchain', 'GET', { wallet: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }],
    ['apiKey', 'POST', { body: { key: apiKey } }],
    ['misspelled', 'POST', { misspelled: 1 }],
  ])('rejects an invalid %s', async (field, method, options) => {
    const { client, sent } = service({})
    await expect(client.request(method as never, '/api/x', options as never)).rejects.toMatchObject({ field })
    expect(sent).toEqual([])
  })

  test('throws the error of the service without the secrets that were sent', async () => {
    const body = { code: 'NOT_FOUND', message: `no user for ${apiKey} and session-key-0123456789` }
    const { client } = service({ answers: [{ status: 404, body }] })
    const failed = await client
      .request('DELETE', '/api/customer', { sessionKey: 'session-key-0123456789' })
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'NotFoundError', status: 404 })
    expect(String(failed)).not.toMatch(/Zq7RtY2mX|0123456789/)
  })

  test('retries a GET, and no other method', async () => {
    const reads = service({ answers: [new Error('lost'), { ok: 1 }] })
    expect(await reads.client.request('GET', '/api/x')).toEqual({ ok: 1 })
    const changes = service({ answers: [new Error('lost'), { ok: 1 }] })
    await expect(changes.client.request('POST', '/api/x', { body: {} })).rejects.toMatchObject({
      name: 'CallOutcomeUnknownError',
      call: 'request',
    })
    expect(changes.sent).toHaveLength(1)
  })
})
