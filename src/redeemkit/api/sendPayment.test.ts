import { describe, expect, test } from 'vitest'
import { errorAnswer, fakeClient, fakeService, wallet } from './api.fixture.ts'
import type { ClientOptions } from './clientOptions.ts'
import { cardCheckout, savedCardCheckout, zeroAuthorization } from './endpoints/cards.ts'
import { wireTokenCheckout } from './endpoints/checkout.ts'
import { findPayments } from './endpoints/customer.ts'
import { purchaseSubscription } from './endpoints/subscription.ts'
import { PaymentOutcomeUnknownError } from './errors.ts'
import type { HasSessionKey, PaymentsClient } from './paymentsClient.ts'

type Client = PaymentsClient<HasSessionKey & { wallet: string }>
type Answers = Parameters<typeof fakeService>
const subtotal = { cents: 1250, currency: 'USD' } as const
const cardToken = 'tok_a1b2c3d4e5f6g7h8'
const payments: Record<string, (client: Client) => Promise<unknown>> = {
  cardCheckout: (client) => cardCheckout(client, { subtotal, card: { cardToken } }),
  savedCardCheckout: (client) => savedCardCheckout(client, { subtotal, token: cardToken }),
  zeroAuthorization: (client) => zeroAuthorization(client, { card: { cardToken } }),
  purchaseSubscription: (client) => purchaseSubscription(client, { planCode: 'gold', token: cardToken }),
}

/** Returns the result or error of a call, and the number of requests. */
async function attempt(
  pay: (client: Client) => Promise<unknown>,
  answers: Answers,
  options: Partial<ClientOptions> = {},
) {
  const service = fakeService(...answers)
  const { client } = fakeClient(service, { sessionKey: 'session-key-1', now: () => 1_000, ...options })
  // `fakeClient` sets the session key and the wallet
  const error: unknown = await pay(client as Client).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { error, requests: service.requests, client: client as Client }
}

const broken = () => {
  throw new TypeError('fetch failed')
}

describe.each(Object.entries(payments))('%s', (_, pay) => {
  test.each<[string, () => Response | Promise<Response>]>([
    ['a 500', errorAnswer(500, { code: 'INTERNAL' })],
    ['a 503', errorAnswer(503, {})],
    ['the page of a proxy', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['a 408', errorAnswer(408, {})],
    ['a response that is not JSON', () => new Response('{"paymentId":', { status: 200 })],
    ['a response with a different record', () => Response.json([])],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://x.example' } })],
    ['no response', () => new Promise<Response>(() => {})],
  ])('is sent once, and its outcome is unknown after %s', async (_, answer) => {
    const { error, requests } = await attempt(pay, [answer, answer], { timeoutMs: 50 })
    expect(requests).toHaveLength(1)
    expect(error).toBeInstanceOf(PaymentOutcomeUnknownError)
    expect(error).toMatchObject({ remedy: 'lookUp', sentAt: 1_000 })
    // the error must not advise sending it again
    expect(String(error)).not.toMatch(/same call again|try again|send the same/i)
    expect(error).not.toHaveProperty('cause')
  })

  test.each([
    [400, { code: 'CARD_EXPIRED' }],
    [402, { code: 'CARD_DECLINED' }],
    [403, '<h1>Forbidden</h1>'],
    [409, { code: 'PAYMENT_STATE' }],
    [410, { message: 'Card expired' }],
    [412, { transactionId: 't', url: 'https://acs.example', creq: 'e30' }],
    [412, { code: 'INSUFFICIENT_CREDITS' }],
    [423, { code: 'CUSTOMER_BLOCKED' }],
    [429, {}],
    [451, { verificationLink: 'https://v.example' }],
  ])('is sent once, and is refused after a %i: %j', async (status, body) => {
    const { error, requests } = await attempt(pay, [
      errorAnswer(status, body, { 'retry-after': '0' }),
      errorAnswer(status, body),
    ])
    expect(requests).toHaveLength(1)
    expect(error).toMatchObject({ status })
  })

  test('is sent once if the session key is refused, and the next call has a new key', async () => {
    let keys = 0
    const sessionKey = async () => `session-key-${++keys}`
    const { error, requests, client } = await attempt(pay, [errorAnswer(401, {})], { sessionKey })
    expect(error).toMatchObject({ name: 'UnauthenticatedError' })
    expect(requests).toHaveLength(1)
    await pay(client).catch(() => {})
    expect(requests.map(({ headers }) => headers['x-svc-auth-session-key'])).toEqual([
      'session-key-1',
      'session-key-2',
    ])
  })

  test('is sent once for two clicks at the same time, and again for a later click', async () => {
    const paid = { paymentId: 'p', status: 'settled', token: 't', subscriptionId: 's' }
    const answer = () => Response.json(paid)
    const service = fakeService(answer, answer)
    // `fakeClient` sets the session key and the wallet
    const client = fakeClient(service, { sessionKey: 'session-key-1' }).client as Client
    const [one, other] = await Promise.all([pay(client), pay(client)])
    expect(service.requests).toHaveLength(1)
    expect(other).toEqual(one)
    await pay(client)
    expect(service.requests).toHaveLength(2)
  })

  test('has the same unknown outcome for two clicks at the same time', async () => {
    const service = fakeService(broken, broken)
    const client = fakeClient(service, { sessionKey: 'session-key-1' }).client as Client
    const ends = await Promise.allSettled([pay(client), pay(client)])
    expect(service.requests).toHaveLength(1)
    expect(ends).toMatchObject([1, 2].map(() => ({ reason: { name: 'PaymentOutcomeUnknownError' } })))
  })

  test('has an unknown outcome if it was aborted after it was sent, and not before', async () => {
    const abort = new AbortController()
    const leave = () => {
      abort.abort()
      return new Promise<Response>(() => {})
    }
    const { error } = await attempt(pay, [leave], { signal: abort.signal })
    expect(error).toMatchObject({
      name: 'PaymentOutcomeUnknownError',
      failure: { name: 'RequestAbortedError' },
    })
    const before = await attempt(pay, [], { signal: abort.signal })
    expect(before.error).toMatchObject({ name: 'RequestAbortedError', remedy: 'stop' })
    expect(before.requests).toEqual([])
  })

  test('has an unknown outcome if the connection breaks', async () => {
    const { error } = await attempt(pay, [], { fetch: broken })
    expect(error).toMatchObject({
      name: 'PaymentOutcomeUnknownError',
      failure: { name: 'ServiceUnreachableError' },
    })
  })

  test('shows its token in no error, no hook and no URL', async () => {
    const said: unknown[] = []
    const hooks = {
      onRequest: (info: unknown) => said.push(info),
      onResponse: (info: unknown) => said.push(info),
    }
    for (const status of [400, 402, 412, 422, 500]) {
      const body = {
        message: `Bad ${cardToken}`,
        details: { 'card.cardToken': { message: 'unknown', value: cardToken } },
        transactionId: cardToken,
        paymentId: cardToken,
      }
      const { error } = await attempt(pay, [errorAnswer(status, body)], hooks)
      said.push({ ...Object(error), text: String(error), stack: Object(error).stack })
    }
    expect(JSON.stringify(said)).not.toMatch(/a1b2c3d4|e5f6g7h8/)
  })
})

test('concurrent payments are separate if they differ or have different clients', async () => {
  const answer = () => Response.json({ paymentId: 'p', status: 'settled' })
  const service = fakeService(answer, answer, answer, answer)
  const client = fakeClient(service, { sessionKey: 'session-key-1' }).client as Client
  const body = { subtotal, token: cardToken }
  await Promise.all([
    savedCardCheckout(client, body),
    savedCardCheckout(client, { ...body, subtotal: { cents: 1 } }),
    savedCardCheckout(client, body, { wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
    savedCardCheckout(client.with({}), body),
  ])
  expect(service.requests).toHaveLength(4)
})

test('after a 5xx, an order is not sent again, and the error is the 5xx of the service', async () => {
  const order = (client: Client) => wireTokenCheckout(client, { subtotal, token: 'wire-account-1' })
  const { error, requests } = await attempt(order, [errorAnswer(503, {}), errorAnswer(503, {})])
  expect(requests).toHaveLength(1)
  expect(error).toMatchObject({ name: 'ServiceUnavailableError', remedy: 'tryAgain' })
})

describe('a card number', () => {
  const number = '4000 0099 0000 0012'
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['in place of a token', (client) => cardCheckout(client, { subtotal, card: { cardToken: number } })],
    [
      'in place of the token of a saved card',
      (client) => savedCardCheckout(client, { subtotal, token: number }),
    ],
    [
      'as a number',
      // JavaScript callers can pass such bodies
      (client) => cardCheckout(client, { subtotal, card: { cardToken: 4000009900000012 as never } }),
    ],
    ['in place of the card', (client) => cardCheckout(client, { subtotal, card: number as never })],
    [
      'in an unknown field',
      (client) => cardCheckout(client, { subtotal, card: { cardToken, number, cvv: '123' } as never }),
    ],
    [
      'as the name of a field',
      (client) => cardCheckout(client, { subtotal, card: { cardToken, [number]: 1 } as never }),
    ],
  ])('%s is rejected and not shown, and nothing is sent', async (_, pay) => {
    const { error, requests } = await attempt(pay, [])
    expect(requests).toEqual([])
    expect(error).toMatchObject({ name: 'InvalidRecordError' })
    const shown = JSON.stringify({ ...Object(error), text: String(error), stack: Object(error).stack })
    expect(shown.replace(/[\s-]/g, '')).not.toMatch(/40000099|0000012/)
  })
})

test.each(['', '.', '../..', 'a\ud800'])(
  'a merchant id that changes the path is rejected: %j',
  async (merchantId) => {
    const pay = (client: Client) => cardCheckout({ ...client, merchantId }, { subtotal, card: { cardToken } })
    const { error, requests } = await attempt(pay, [])
    expect(requests).toEqual([])
    expect(error).toMatchObject({ name: 'InvalidOptionError', field: 'merchantId' })
  },
)

describe('findPayments', () => {
  const purchase = (paymentId: string, createdAt: string) => ({
    paymentId,
    status: 'SETTLED',
    rail: 'card',
    subtotal,
    total: subtotal,
    createdAt,
  })
  const page = (purchases: unknown[], next?: string) => () => Response.json({ purchases, next })

  test('returns the purchases of all pages, from the time of the payment minus the allowed clock difference', async () => {
    const service = fakeService(
      page([purchase('c', '2026-05-01T12:00:09Z')], 'page 2&limit=1'),
      page([purchase('b', '2026-05-01T11:59:00Z'), purchase('a', '2026-05-01T11:58:59Z')], 'page 3'),
    )
    const { client } = fakeClient(service, { sessionKey: 'k', wallet })
    const found = await findPayments(
      client as Client,
      { sentAt: Date.parse('2026-05-01T12:00:00Z') },
      { clockSlackMs: 60_000 },
    )
    expect(found.map(({ paymentId }) => paymentId)).toEqual(['c', 'b'])
    expect(service.requests.map(({ query }) => query)).toEqual([
      '?limit=100',
      '?limit=100&after=page+2%26limit%3D1',
    ])
  })

  test('returns an empty list if there are no purchases', async () => {
    const { client } = fakeClient(fakeService(page([])), { sessionKey: 'k' })
    expect(await findPayments(client as Client, { sentAt: 0 })).toEqual([])
  })
})
