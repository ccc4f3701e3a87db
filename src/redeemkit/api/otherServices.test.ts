import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyAnswer, loose } from '../schema/index.ts'
import {
  askBody,
  errorAnswer,
  fakeClient,
  fakeService,
  goodAnswers,
  submitBody,
  wallet,
} from './api.fixture.ts'
import type { ClientOptions } from './clientOptions.ts'
import { getAuthMessage, verifyAuth } from './endpoints/auth.ts'
import { getBalances } from './endpoints/customer.ts'
import {
  creditsAuthMsg,
  getContractAddress,
  sendGaslessTx,
  usdcAuthorizationMessage,
} from './endpoints/redeem.ts'
import { isServiceError, type ServiceError } from './errors.ts'

/** Returns the client's error for this response of the service. */
async function errorOf(answer: () => Response): Promise<ServiceError> {
  const { client } = fakeClient(fakeService(answer), { retry: false })
  const error: unknown = await getBalances(client).catch((error: unknown) => error)
  if (!isServiceError(error)) throw error
  return error
}

const total = 'Total 1.04 exceeds max credits authorized 1.03'
const poor = 'Wallet does not have enough credits to complete redeem request'
const pulled = 'INSUFFICIENT FUNDS TO REDEEM'

describe('the message of a refusal', () => {
  test.each<[string, unknown]>([
    // observed at another service (PROTOCOL.md 7.1)
    ['details next to a general message', { message: 'Error Processing your request', details: total }],
    ['Message, as gateways in front of a service send it', { Message: total }],
    ['detail', { error: 'Precondition Failed', detail: total }],
    ['reason', { reason: total }],
    ['error', { error: total }],
    ['an error object', { error: { name: 'ApiError', message: total } }],
    ['the details of an error object', { error: { message: 'Error', details: [total] } }],
    ['a list, as validators of some frameworks send it', { statusCode: 412, message: ['no', total] }],
    ['an object of details', { message: 'Error', details: { reason: total } }],
    ['a JSON text', total],
    ['a body with the service’s own code', { code: 'PRECONDITION', message: total }],
    ['a body with a stack', { name: 'ApiError', message: total, stack: `ApiError: ${total}\n at a.js:1:2` }],
  ])('is recognized in %s', async (_, body) => {
    const error = await errorOf(errorAnswer(412, body))
    expect(error).toMatchObject({ name: 'ExceedsAuthorizedError', code: 'EXCEEDS_AUTHORIZED' })
    expect(error.message).toContain(total)
    expect(error.message).not.toContain('a.js')
  })

  test.each([
    [poor, 'INSUFFICIENT_CREDITS'],
    [pulled, 'SIMULATION_FAILED'],
  ])('"%s" means %s, even after a general message', async (details, code) => {
    expect(
      await errorOf(errorAnswer(412, { message: 'Error Processing your request', details })),
    ).toMatchObject({
      code,
      message: expect.stringContaining(`Error Processing your request: ${details}`),
    })
  })

  test.each([400, 422])('determines the code of a %i', async (status) => {
    expect(await errorOf(errorAnswer(status, { details: poor }))).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      status,
    })
  })

  test.each([401, 403, 404, 409, 429, 500, 503])('does not determine the code of a %i', async (status) => {
    expect((await errorOf(errorAnswer(status, { message: total }))).code).not.toBe('EXCEEDS_AUTHORIZED')
  })

  test('is recognized in plain text', async () => {
    expect(await errorOf(() => new Response(total, { status: 412 }))).toMatchObject({
      code: 'EXCEEDS_AUTHORIZED',
      shortMessage: `The service returned 412 EXCEEDS_AUTHORIZED: "${total}".`,
    })
  })

  test('is recognized in a page, without its stack', async () => {
    // the error page of Express 4
    const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body>
<pre>Error: ${total}<br> &nbsp; &nbsp;at /srv/app/redeem.js:10:11<br> &nbsp; &nbsp;at next (/srv/app/node_modules/x.js:3:5)</pre></body></html>`
    expect(await errorOf(() => new Response(page, { status: 412 }))).toMatchObject({
      code: 'EXCEEDS_AUTHORIZED',
      shortMessage: `The service returned 412 EXCEEDS_AUTHORIZED: "Error: ${total}".`,
    })
  })

  test.each<[string, unknown]>([
    ['a list of errors of GraphQL', { errors: [{ message: total, extensions: { code: 'BAD' } }] }],
    ['a list of errors of JSON:API', { errors: [{ status: '412', title: 'Error', detail: total }] }],
    ['a title alone (RFC 9457)', { type: 'about:blank', title: total, status: 412 }],
    ['a list of FastAPI', { detail: [{ loc: ['body', 'subtotal'], msg: total, type: 'value_error' }] }],
    ['msg', { msg: total }],
    ['an error of OAuth (RFC 6749)', { error: 'invalid_request', error_description: total }],
  ])('is recognized in %s', async (_, body) => {
    const error = await errorOf(errorAnswer(412, body))
    expect(error.code).toBe('EXCEEDS_AUTHORIZED')
    expect(error.message).toContain(total)
  })

  test('uses the message, not the title next to it', async () => {
    expect(
      (await errorOf(errorAnswer(404, { title: 'Not Found', detail: 'No such shop' }))).shortMessage,
    ).toBe('The service returned 404 NOT_FOUND: "No such shop".')
  })

  test('is short, and a long text does not hide the next one', async () => {
    const error = await errorOf(errorAnswer(412, { message: 'general '.repeat(500), details: total }))
    expect(error.shortMessage).toContain(total)
    expect(error.shortMessage.length).toBeLessThan(480)
  })

  test('shows a message once if two fields repeat it', async () => {
    expect(
      (await errorOf(errorAnswer(400, { message: 'Bad id', error: 'Error: Bad id' }))).shortMessage,
    ).toBe('The service returned 400 INVALID_REQUEST: "Error: Bad id".')
  })

  test('names the fields that a validator named', async () => {
    // tsoa's response to an invalid request
    const body = {
      message: 'Validation Failed',
      details: { 'body.subtotal': { message: "'subtotal' is required" }, other: 1 },
    }
    expect(await errorOf(errorAnswer(422, body))).toMatchObject({
      name: 'InvalidRequestError',
      issues: ['body.subtotal'],
      field: 'body.subtotal',
      shortMessage: expect.stringContaining("Validation Failed: body.subtotal: 'subtotal' is required"),
    })
  })

  test.each<[string, unknown]>([
    // tsoa's error as JSON (`ValidateError` with `fields`)
    [
      'fields',
      { name: 'ValidateError', message: 'Validation Failed', fields: { cents: { message: 'too small' } } },
    ],
    // ASP.NET and Laravel
    ['errors', { title: 'One or more validation errors occurred.', errors: { cents: ['too small', 'odd'] } }],
  ])('names the fields that a validator named in %s', async (_, body) => {
    expect(await errorOf(errorAnswer(400, body))).toMatchObject({
      issues: ['cents'],
      shortMessage: expect.stringContaining('cents: too small'),
    })
  })

  test.each([
    // items of express-validator, and of validators that write a path as a list or as `field`
    { path: 'subtotal.cents', msg: 'too small', location: 'body' },
    { path: ['subtotal', 'cents'], message: 'too small' },
    { field: 'subtotal.cents', message: 'too small' },
    // class-validator
    { property: 'subtotal.cents', constraints: { min: 'too small' }, message: 'too small' },
  ])('names the field in a list of errors: %j', async (item) => {
    expect(await errorOf(errorAnswer(422, { errors: [item, 'a text'] }))).toMatchObject({
      issues: ['subtotal.cents'],
      field: 'subtotal.cents',
      shortMessage: expect.stringContaining('too small'),
    })
  })

  test('names the field in an error list of FastAPI', async () => {
    const detail = [{ loc: ['body', 'subtotal', 0], msg: 'Field required', type: 'missing' }]
    expect(await errorOf(errorAnswer(422, { detail }))).toMatchObject({
      field: 'body.subtotal.0',
      shortMessage: expect.stringContaining('Field required'),
    })
  })

  test.each([
    { message: { toString: 1 } },
    { details: [[[[[['deep']]]]]] },
    { error: [null, 5, { message: [] }] },
    { message: 5, details: false },
    { details: { a: { message: 7 } } },
    [],
    '   ',
  ])('is not read from an unknown format: %j', async (body) => {
    expect((await errorOf(errorAnswer(400, body))).shortMessage).toBe(
      'The service returned 400 INVALID_REQUEST.',
    )
  })

  test('is found quickly in a million characters', async () => {
    const started = performance.now()
    for (const text of ['<'.repeat(1_000_000), '<script'.repeat(100_000), ` at ${'a:1'.repeat(300_000)}`])
      await errorOf(() => new Response(text, { status: 500 }))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('a challenge', () => {
  const fields = {
    transactionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    url: 'https://acs.example/challenge',
    creq: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
  }

  test('is a 412 with transactionId and url, and has all its fields', async () => {
    const error = await errorOf(errorAnswer(412, fields))
    expect(error).toMatchObject({
      name: 'ChallengeRequiredError',
      code: 'CHALLENGE_REQUIRED',
      remedy: 'challenge',
    })
    const creq: string | undefined = error.challenge?.creq
    expect([error.challenge, creq]).toEqual([fields, fields.creq])
  })

  test('needs no creq', async () => {
    const { creq: _, ...without } = fields
    expect((await errorOf(errorAnswer(412, { message: 'Challenge', details: without }))).challenge).toEqual({
      ...without,
      creq: undefined,
    })
  })

  test.each([
    [412, { transactionId: 't' }],
    [412, { url: fields.url }],
    [412, { ...fields, url: 'javascript:alert(1)' }],
    [412, { ...fields, transactionId: 5 }],
    [400, fields],
  ])('is not recognized in the response %i %j', async (status, body) => {
    const error = await errorOf(errorAnswer(status, body))
    expect([error.code, error.challenge]).not.toContain('CHALLENGE_REQUIRED')
    expect(error.challenge).toBeUndefined()
  })
})

describe('a 423', () => {
  test.each([{}, '', { message: 'Customer is Blocked' }, { code: 'LOCKED' }])(
    'without a known code means that the customer is blocked: %j',
    async (body) => {
      expect(await errorOf(errorAnswer(423, body))).toMatchObject({
        name: 'CustomerBlockedError',
        code: 'CUSTOMER_BLOCKED',
        remedy: 'stop',
      })
    },
  )

  test.each([
    { code: 'PAYMENT_METHOD_IN_USE' },
    { error: 'PAYMENT_METHOD_IN_USE' },
    { error: { code: 'PAYMENT_METHOD_IN_USE', message: 'in use' } },
    { message: 'in use', details: { code: 'PAYMENT_METHOD_IN_USE' } },
    { message: 'PAYMENT_METHOD_IN_USE' },
  ])('with this code means that the payment method is in use: %j', async (body) => {
    expect(await errorOf(errorAnswer(423, body))).toMatchObject({ name: 'PaymentMethodInUseError' })
  })
})

test.each([
  [
    410,
    { message: 'Gone', reason: 'Revalidate CVV' },
    'CardValidationExpiredError',
    'CARD_VALIDATION_EXPIRED',
  ],
  [428, 'User must re-verify account', 'AccountValidationExpiredError', 'ACCOUNT_VALIDATION_EXPIRED'],
])('a %i has its own error', async (status, body, name, code) => {
  const { client } = fakeClient(fakeService(() => Response.json(body, { status })))
  await expect(getBalances(client)).rejects.toMatchObject({ name, code, status, remedy: 'show' })
})

test.each([
  [410, '<html><head><title>410 Gone</title></head><body><h1>410 Gone</h1><hr>nginx</body></html>'],
  [410, ''],
  [428, { title: 'Precondition Required', status: 428 }],
])('a %i that names no card or account is an UnknownServiceError: %j', async (status, body) => {
  expect(await errorOf(errorAnswer(status, body))).toMatchObject({
    name: 'UnknownServiceError',
    code: `HTTP_${status}`,
    remedy: 'stop',
  })
})

describe('an empty response', () => {
  const empty: [string, () => Response][] = [
    ['200', () => new Response('')],
    [
      '200 with a JSON content type',
      () => new Response('', { headers: { 'content-type': 'application/json' } }),
    ],
    ['200 with a line break', () => new Response('\r\n')],
    ['204', () => new Response(null, { status: 204 })],
  ]

  test.each(empty)('is valid where no record is expected: %s', async (_, answer) => {
    await verifyAuth(fakeClient(fakeService(answer)).client)
    const { client } = fakeClient(fakeService(answer))
    const voided = client.request({
      method: 'POST',
      path: '/api/checkout/void',
      body: { paymentId: 'p' },
      answer: loose(emptyAnswer),
      repeatable: false,
    })
    expect(await voided).toEqual({})
  })

  test.each(['true', '"verified"', 'OK', '{"valid":true,"error":null,"errors":[]}'])(
    'the body %s is valid where no record is expected',
    async (body) => {
      expect(await verifyAuth(fakeClient(fakeService(() => new Response(body))).client)).toBeUndefined()
    },
  )

  test.each([
    ...['false', '"false"', 'null', '0', '[]', '<p>OK</p>', '{"ok"'],
    ...['{"valid":false}', '{"success":false}', '{"error":"declined"}', '{"errors":[{"message":"no"}]}'],
    ...['{"status":"error","message":"no"}', '{"status":"failed"}', '{"a":9007199254740993}'],
  ])('the body %s is invalid where no record is expected', async (body) => {
    const verified = verifyAuth(fakeClient(fakeService(() => new Response(body))).client)
    await expect(verified).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      // one full stop ends the first line
      shortMessage: expect.stringMatching(/[^.]\.$/),
    })
  })

  test.each(empty)('is invalid where a record is expected: %s', async (_, answer) => {
    await expect(creditsAuthMsg(fakeClient(fakeService(answer)).client, askBody)).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      message: expect.stringContaining('an empty body'),
    })
  })
})

describe('a request', () => {
  const initOf = async () => {
    let init: RequestInit | undefined
    const { client } = fakeClient(fakeService(), {
      fetch: async (_, given) => {
        init = given
        return Response.json(goodAnswers['/api/customer/balances/shop'])
      },
    })
    await getBalances(client)
    return init
  }

  test('bypasses the HTTP cache', async () => {
    expect((await initOf())?.cache).toBe('no-store')
  })

  // Cloudflare's Workers throw for the option (cloudflare/workerd, issue 698); React Native's polyfill changes the URL
  test('omits `cache` where a Request has no such option', async () => {
    vi.stubGlobal('Request', class {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await initOf()).not.toHaveProperty('cache')
  })
})

describe('a response whose body has no stream', () => {
  const balances = goodAnswers['/api/customer/balances/shop']
  const text = JSON.stringify(balances)
  /** React Native's fetch returns a Response whose `body` is undefined (react/react-native, issue 37505). */
  const plain = (readers: object, headers: Record<string, string> = {}, status = 200) =>
    ({ status, ok: status < 400, type: 'default', headers: new Headers(headers), ...readers }) as Response
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  const clientOf = (response: Response, options: Partial<ClientOptions> = {}) =>
    fakeClient(fakeService(), { fetch: () => response, retry: false, ...options }).client

  test.each<[string, object]>([
    ['text', { text: async () => text }],
    ['text, body null', { body: null, text: async () => text }],
    ['text, with a byte order mark', { text: async () => `\ufeff${text}` }],
    ['a body that is not a stream', { body: { not: 'a stream' }, text: async () => text }],
    [
      'text first',
      { text: async () => text, arrayBuffer: () => Promise.reject(new Error('not implemented')) },
    ],
    ['arrayBuffer', { arrayBuffer: async () => bytesOf(text).buffer }],
    ['blob', { blob: async () => new Blob([text]) }],
    ['json', { json: async () => balances }],
  ])('is read: %s', async (_, readers) => {
    expect(await getBalances(clientOf(plain(readers)))).toEqual(balances)
  })

  test('is rejected if it is one byte longer than maxAnswerBytes', async () => {
    const readers = { arrayBuffer: async () => bytesOf(text).buffer }
    const read = (maxAnswerBytes: number) => getBalances(clientOf(plain(readers), { maxAnswerBytes }))
    expect(await read(text.length)).toEqual(balances)
    await expect(read(text.length - 1)).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      message: expect.stringContaining(`more than ${text.length - 1} bytes`),
    })
  })

  test('may be empty where no record is expected', async () => {
    await verifyAuth(clientOf(plain({ text: async () => '' }, {}, 204)))
  })

  test('with an error status is read', async () => {
    const refused = plain({ text: async () => JSON.stringify({ message: 'Error', details: total }) }, {}, 412)
    await expect(getBalances(clientOf(refused))).rejects.toMatchObject({ code: 'EXCEEDS_AUTHORIZED' })
  })

  test.each<[string, object, string]>([
    [
      'whose reading fails',
      { text: () => Promise.reject(new TypeError('Network request failed')) },
      'ServiceUnreachableError',
    ],
    [
      'with bytes that are not UTF-8',
      { arrayBuffer: async () => new Uint8Array([0xff]).buffer },
      'InvalidAnswerError',
    ],
    ['whose json is undefined', { json: async () => undefined }, 'InvalidAnswerError'],
    ['without a method to read it', {}, 'InvalidAnswerError'],
  ])('%s is a redeemkit error', async (_, readers, name) => {
    await expect(getBalances(clientOf(plain(readers)))).rejects.toMatchObject({ name })
  })

  test('times out', async () => {
    const hanging = plain({ text: () => new Promise(() => {}) })
    await expect(getBalances(clientOf(hanging, { timeoutMs: 20 }))).rejects.toMatchObject({
      name: 'ServiceTimeoutError',
    })
  })
})

test('a base URL with a trailing /api is the same service: the client keeps its session key', async () => {
  const service = fakeService()
  const { client } = fakeClient(service, { sessionKey: 'session-key' })
  await getBalances(client.with({ baseUrl: 'https://service.example/api/' }))
  expect(service.requests[0]?.headers['x-svc-auth-session-key']).toBe('session-key')
})

test('usdcAuthorization: null counts as absent', async () => {
  const { usdcAuthorization: _, ...asked } = goodAnswers['/api/redeem/evm/creditsAuthMsg']
  const service = fakeService(() => Response.json({ ...asked, usdcAuthorization: null }))
  expect(await creditsAuthMsg(fakeClient(service).client, askBody)).toStrictEqual(asked)
})

test('transaction: null of a sign-in counts as absent', async () => {
  const service = fakeService(() => Response.json({ message: 'sign me', transaction: null }))
  expect(await getAuthMessage(fakeClient(service).client)).toStrictEqual({ message: 'sign me' })
})

describe('a session key alone', () => {
  const options = { wallet: undefined, sessionKey: 'session-key' }

  test.each<[string, (client: ReturnType<typeof fakeClient>['client']) => Promise<unknown>]>([
    ['balances', (client) => getBalances(client)],
    ['verify', (client) => verifyAuth(client)],
    ['creditsAuthMsg', (client) => creditsAuthMsg(client, askBody)],
    ['sendGaslessTx', (client) => sendGaslessTx(client, submitBody)],
    ['usdc-authorization', (client) => usdcAuthorizationMessage(client, { amount: { cents: 1 } })],
  ])('is enough for %s, and is sent without wallet and blockchain', async (_, call) => {
    const service = fakeService()
    await call(fakeClient(service, options).client)
    const { headers } = service.requests[0] ?? { headers: {} }
    expect(headers).toMatchObject({ 'x-svc-auth-session-key': 'session-key' })
    expect(Object.keys(headers).filter((name) => /wallet|blockchain/.test(name))).toEqual([])
  })

  test('may be a function, which is called again after a 401', async () => {
    const keys = ['stale', 'fresh']
    const service = fakeService(errorAnswer(401, {}))
    await getBalances(fakeClient(service, { wallet: undefined, sessionKey: () => keys.shift() ?? '' }).client)
    expect(service.requests.map(({ headers }) => headers['x-svc-auth-session-key'])).toEqual([
      'stale',
      'fresh',
    ])
  })

  test('is sent with the wallet if the client knows one', async () => {
    const service = fakeService()
    await creditsAuthMsg(fakeClient(service, options).client, askBody, { wallet })
    expect(service.requests[0]?.headers).toMatchObject({
      'x-svc-auth-session-key': 'session-key',
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-blockchain': 'base',
    })
  })

  test('is not enough to get a sign-in message', async () => {
    const service = fakeService()
    await expect(getAuthMessage(fakeClient(service, options).client)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'wallet',
    })
    expect(service.requests).toEqual([])
  })

  test("is not enough to verify a wallet's signature", async () => {
    const { client } = fakeClient(fakeService(), options)
    await expect(verifyAuth(client, { signedMessage: 'signed' })).rejects.toMatchObject({ field: 'wallet' })
  })

  test('is not required for a public call', async () => {
    const service = fakeService()
    expect(await getContractAddress(fakeClient(service, { wallet: undefined }).client)).toHaveProperty(
      'address',
    )
  })

  test('is required if there is no wallet: the error names both', async () => {
    const service = fakeService()
    await expect(getBalances(fakeClient(service, { wallet: undefined }).client)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'wallet',
      message: expect.stringMatching(/needs a wallet or a session key[\s\S]*sessionKey/),
    })
    expect(service.requests).toEqual([])
  })
})
