import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyAnswer, loose } from '../schema/index.ts'
import {
  askBody,
  bytes32,
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
import { isServiceError, type ServiceError } from './serviceError.ts'

/** The error of a client whose service answers so. */
async function errorOf(answer: () => Response): Promise<ServiceError> {
  const { client } = fakeClient(fakeService(answer), { retry: false })
  const error: unknown = await getBalances(client).catch((error: unknown) => error)
  if (!isServiceError(error)) throw error
  return error
}

const total = 'Total 1.04 exceeds max credits authorized 1.03'
const poor = 'Wallet does not have enough credits to complete redeem request'
const pulled = 'INSUFFICIENT FUNDS TO REDEEM'

describe('messages of a refusal', () => {
  test.each<[string, unknown]>([
    // Seen live at a service of this kind (PROTOCOL.md 7.1).
    ['details beside a general message', { message: 'Error Processing your request', details: total }],
    ['Message, as a gateway before the service answers', { Message: total }],
    ['detail', { error: 'Precondition Failed', detail: total }],
    ['reason', { reason: total }],
    ['error', { error: total }],
    ['an error inside', { error: { name: 'ApiError', message: total } }],
    ['an error inside, in its details', { error: { message: 'Error', details: [total] } }],
    ['a list, as validators of some frameworks answer', { statusCode: 412, message: ['no', total] }],
    ['an object of details', { message: 'Error', details: { reason: total } }],
    ['text alone, as JSON', total],
    ['a code of the service’s own beside it', { code: 'PRECONDITION', message: total }],
    ['a stack beside it', { name: 'ApiError', message: total, stack: `ApiError: ${total}\n at a.js:1:2` }],
  ])('is recognised in %s', async (_, body) => {
    const error = await errorOf(errorAnswer(412, body))
    expect(error).toMatchObject({ name: 'ExceedsAuthorizedError', code: 'EXCEEDS_AUTHORIZED' })
    expect(error.message).toContain(total)
    expect(error.message).not.toContain('a.js')
  })

  test.each([
    [poor, 'INSUFFICIENT_CREDITS'],
    [pulled, 'SIMULATION_FAILED'],
  ])('"%s" is %s behind a general message, too', async (details, code) => {
    expect(
      await errorOf(errorAnswer(412, { message: 'Error Processing your request', details })),
    ).toMatchObject({
      code,
      message: expect.stringContaining(`Error Processing your request: ${details}`),
    })
  })

  test.each([400, 422])('counts on a %i, which says no more by itself', async (status) => {
    expect(await errorOf(errorAnswer(status, { details: poor }))).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      status,
    })
  })

  test.each([401, 403, 404, 409, 429, 500, 503])('counts for nothing on a %i', async (status) => {
    expect((await errorOf(errorAnswer(status, { message: total }))).code).not.toBe('EXCEEDS_AUTHORIZED')
  })

  test('is recognised in plain text', async () => {
    expect(await errorOf(() => new Response(total, { status: 412 }))).toMatchObject({
      code: 'EXCEEDS_AUTHORIZED',
      shortMessage: `The service answered 412 EXCEEDS_AUTHORIZED: "${total}".`,
    })
  })

  test('is recognised in a page, without its stack', async () => {
    // The error page of Express 4.
    const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body>
<pre>Error: ${total}<br> &nbsp; &nbsp;at /srv/app/redeem.js:10:11<br> &nbsp; &nbsp;at next (/srv/app/node_modules/x.js:3:5)</pre></body></html>`
    expect(await errorOf(() => new Response(page, { status: 412 }))).toMatchObject({
      code: 'EXCEEDS_AUTHORIZED',
      shortMessage: `The service answered 412 EXCEEDS_AUTHORIZED: "Error: ${total}".`,
    })
  })

  test.each([
    ['<html><head><title>502 Bad Gateway</title></head><body></body></html>', '502 Bad Gateway'],
    ['<h1>Down &amp; out</h1><script>if (a < b) alert(1)</script>', 'Down & out'],
    ['upstream connect error\n or disconnect', 'upstream connect error or disconnect'],
  ])('is what a reader would see of a proxy’s answer: %s', async (body, texts) => {
    expect((await errorOf(() => new Response(body, { status: 502 }))).shortMessage).toBe(
      `The service answered 502 INTERNAL: ${JSON.stringify(texts)}.`,
    )
  })

  test.each<[string, unknown]>([
    ['a list of errors, as of GraphQL', { errors: [{ message: total, extensions: { code: 'BAD' } }] }],
    ['a list of errors, as of JSON:API', { errors: [{ status: '412', title: 'Error', detail: total }] }],
    ['a title and nothing else (RFC 9457)', { type: 'about:blank', title: total, status: 412 }],
    ['a list of FastAPI', { detail: [{ loc: ['body', 'subtotal'], msg: total, type: 'value_error' }] }],
    ['msg', { msg: total }],
    ['an error of OAuth (RFC 6749)', { error: 'invalid_request', error_description: total }],
  ])('is recognised in %s', async (_, body) => {
    const error = await errorOf(errorAnswer(412, body))
    expect(error.code).toBe('EXCEEDS_AUTHORIZED')
    expect(error.message).toContain(total)
  })

  test('uses the message, not the title next to it', async () => {
    expect(
      (await errorOf(errorAnswer(404, { title: 'Not Found', detail: 'No such shop' }))).shortMessage,
    ).toBe('The service answered 404 NOT_FOUND: "No such shop".')
  })

  test('stays short, and no text hides the next', async () => {
    const error = await errorOf(errorAnswer(412, { message: 'general '.repeat(500), details: total }))
    expect(error.shortMessage).toContain(total)
    expect(error.shortMessage.length).toBeLessThan(480)
  })

  test('shows a message once if two fields repeat it', async () => {
    expect(
      (await errorOf(errorAnswer(400, { message: 'Bad id', error: 'Error: Bad id' }))).shortMessage,
    ).toBe('The service answered 400 INVALID_REQUEST: "Error: Bad id".')
  })

  test('names the fields that a validator named', async () => {
    // tsoa's answer to a request that does not match its description.
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
    // tsoa's own error, serialized (tsoa: `ValidateError` with `fields`).
    [
      'fields',
      { name: 'ValidateError', message: 'Validation Failed', fields: { cents: { message: 'too small' } } },
    ],
    // ASP.NET and Laravel.
    ['errors', { title: 'One or more validation errors occurred.', errors: { cents: ['too small', 'odd'] } }],
  ])('names the fields that a validator named in %s', async (_, body) => {
    expect(await errorOf(errorAnswer(400, body))).toMatchObject({
      issues: ['cents'],
      shortMessage: expect.stringContaining('cents: too small'),
    })
  })

  test.each([
    // express-validator's items, and those of validators that write paths as lists, or `field`.
    { path: 'subtotal.cents', msg: 'too small', location: 'body' },
    { path: ['subtotal', 'cents'], message: 'too small' },
    { field: 'subtotal.cents', message: 'too small' },
  ])('names the field in a list of errors: %j', async (item) => {
    expect(await errorOf(errorAnswer(422, { errors: [item, 'a text'] }))).toMatchObject({
      issues: ['subtotal.cents'],
      field: 'subtotal.cents',
      shortMessage: expect.stringContaining('too small'),
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
  ])('in another format is not read as a message: %j', async (body) => {
    expect((await errorOf(errorAnswer(400, body))).shortMessage).toBe(
      'The service answered 400 INVALID_REQUEST.',
    )
  })

  test('of a hundred thousand brackets is read in time', async () => {
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

  test('is a 412 with transactionId and url, and carries all its fields', async () => {
    const error = await errorOf(errorAnswer(412, fields))
    expect(error).toMatchObject({
      name: 'ChallengeRequiredError',
      code: 'CHALLENGE_REQUIRED',
      remedy: 'challenge',
    })
    const creq: string | undefined = error.challenge?.creq
    expect([error.challenge, creq]).toEqual([fields, fields.creq])
  })

  test('without creq is one', async () => {
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
  ])('is not: %i %j', async (status, body) => {
    const error = await errorOf(errorAnswer(status, body))
    expect([error.code, error.challenge]).not.toContain('CHALLENGE_REQUIRED')
    expect(error.challenge).toBeUndefined()
  })
})

describe('a 423', () => {
  test.each([{}, '', { message: 'Customer is Blocked' }, { code: 'LOCKED' }])(
    'says by itself that the customer is blocked: %j',
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
  ])('says by its code that the payment method is in use: %j', async (body) => {
    expect(await errorOf(errorAnswer(423, body))).toMatchObject({ name: 'PaymentMethodInUseError' })
  })
})

test('a 451 keeps its links, beside the record of a verification', async () => {
  const body = {
    verification: { reference: 'r', status: 'pending', vendor: 'v' },
    verificationLink: 'https://v.example/1',
    redirectLink: 'https://shop.example/back',
  }
  expect(await errorOf(errorAnswer(451, body))).toMatchObject({
    name: 'VerificationRequiredError',
    verificationLink: body.verificationLink,
    redirectLink: body.redirectLink,
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

describe('an empty answer', () => {
  const empty: [string, () => Response][] = [
    ['200', () => new Response('')],
    [
      '200 with a JSON content type',
      () => new Response('', { headers: { 'content-type': 'application/json' } }),
    ],
    ['200 with a line break', () => new Response('\r\n')],
    ['204', () => new Response(null, { status: 204 })],
  ]

  test.each(empty)('is one where nothing is expected: %s', async (_, answer) => {
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
    'so is %s, where nothing is expected',
    async (body) => {
      expect(await verifyAuth(fakeClient(fakeService(() => new Response(body))).client)).toBeUndefined()
    },
  )

  test.each([
    ...['false', '"false"', 'null', '0', '[]', '<p>OK</p>', '{"ok"'],
    ...['{"valid":false}', '{"success":false}', '{"error":"declined"}', '{"errors":[{"message":"no"}]}'],
    ...['{"status":"error","message":"no"}', '{"status":"failed"}'],
  ])('%s is not', async (body) => {
    const verified = verifyAuth(fakeClient(fakeService(() => new Response(body))).client)
    await expect(verified).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      // one full stop ends the first line
      shortMessage: expect.stringMatching(/[^.]\.$/),
    })
  })

  test.each(empty)('an empty answer is an error where one is expected: %s', async (_, answer) => {
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

  test('is not stored in a cache', async () => {
    expect((await initOf())?.cache).toBe('no-store')
  })

  // Cloudflare's Workers throw for the option (cloudflare/workerd, issue 698); the polyfill of React Native changes the URL.
  test('omits `cache` where a Request has no such option', async () => {
    vi.stubGlobal('Request', class {})
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(await initOf()).not.toHaveProperty('cache')
  })
})

describe('an answer without a stream of its body', () => {
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
    ['a body that is no stream', { body: { not: 'a stream' }, text: async () => text }],
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

  test('that is empty is one where nothing is expected', async () => {
    await verifyAuth(clientOf(plain({ text: async () => '' }, {}, 204)))
  })

  test('has its error read', async () => {
    const refused = plain({ text: async () => JSON.stringify({ message: 'Error', details: total }) }, {}, 412)
    await expect(getBalances(clientOf(refused))).rejects.toMatchObject({ code: 'EXCEEDS_AUTHORIZED' })
  })

  test.each<[string, number, object]>([
    ['in ASCII', text.length, { text: async () => text }],
    ['in two bytes each', 16, { text: async () => 'é'.repeat(8) }],
    ['in three bytes each', 24, { text: async () => '€'.repeat(8) }],
    ['in four bytes each', 32, { text: async () => '😀'.repeat(8) }],
    ['as bytes', text.length, { arrayBuffer: async () => bytesOf(text).buffer }],
  ])('is refused when it is one byte longer than may be, %s', async (_, bytes, readers) => {
    await expect(getBalances(clientOf(plain(readers), { maxAnswerBytes: bytes - 1 }))).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      message: expect.stringContaining(`more than ${bytes - 1} bytes`),
    })
    const error = await getBalances(clientOf(plain(readers), { maxAnswerBytes: bytes })).catch(
      (error) => error,
    )
    expect(String(error?.message)).not.toContain('more than')
  })

  test('is not read if its header says that it is too long', async () => {
    let read = false
    const long = plain(
      {
        text: async () => {
          read = true
          return text
        },
      },
      { 'content-length': '5000000' },
    )
    await expect(getBalances(clientOf(long))).rejects.toMatchObject({ name: 'InvalidAnswerError' })
    expect(read).toBe(false)
  })

  test.each<[string, object, string]>([
    [
      'whose reading fails',
      { text: () => Promise.reject(new TypeError('Network request failed')) },
      'ServiceUnreachableError',
    ],
    [
      'of bytes that are no text',
      { arrayBuffer: async () => new Uint8Array([0xff]).buffer },
      'InvalidAnswerError',
    ],
    ['whose json is nothing', { json: async () => undefined }, 'InvalidAnswerError'],
    ['that nothing can read', {}, 'InvalidAnswerError'],
  ])('%s is a redeemkit error', async (_, readers, name) => {
    await expect(getBalances(clientOf(plain(readers)))).rejects.toMatchObject({ name })
  })

  test('ends at its time limit', async () => {
    const hanging = plain({ text: () => new Promise(() => {}) })
    await expect(getBalances(clientOf(hanging, { timeoutMs: 20 }))).rejects.toMatchObject({
      name: 'ServiceTimeoutError',
    })
  })
})

describe('a base address that ends in /api', () => {
  test.each([
    ['https://service.example/api', '/api/customer/balances/shop'],
    ['https://service.example/api/', '/api/customer/balances/shop'],
    ['https://service.example//api//', '/api/customer/balances/shop'],
    ['https://service.example/pay/api', '/pay/api/customer/balances/shop'],
    ['https://service.example/myapi', '/myapi/api/customer/balances/shop'],
    ['https://service.example/api/v2', '/api/v2/api/customer/balances/shop'],
  ])('%s → %s', async (baseUrl, path) => {
    const service = fakeService(() => Response.json(goodAnswers['/api/customer/balances/shop']))
    await getBalances(fakeClient(service, { baseUrl }).client)
    expect(service.requests.map(({ path }) => path)).toEqual([path])
  })

  test('is the same service as without it: a session key stays', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { sessionKey: 'session-key' })
    await getBalances(client.with({ baseUrl: 'https://service.example/api/' }))
    expect(service.requests[0]?.headers['x-svc-auth-session-key']).toBe('session-key')
  })
})

test('usdcAuthorization: null is an absent one', async () => {
  const { usdcAuthorization: _, ...asked } = goodAnswers['/api/redeem/evm/creditsAuthMsg']
  const service = fakeService(() => Response.json({ ...asked, usdcAuthorization: null }))
  expect(await creditsAuthMsg(fakeClient(service).client, askBody)).toStrictEqual(asked)
})

test('transaction: null of a sign-in is an absent one', async () => {
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
  ])('is enough for %s, and then neither wallet nor blockchain is claimed', async (_, call) => {
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

  test('is sent with the wallet if that is known', async () => {
    const service = fakeService()
    await creditsAuthMsg(fakeClient(service, options).client, askBody, { wallet })
    expect(service.requests[0]?.headers).toMatchObject({
      'x-svc-auth-session-key': 'session-key',
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-blockchain': 'base',
    })
  })

  test('is not enough to ask for a message that a wallet is to sign', async () => {
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

  test('is not required for public routes', async () => {
    const service = fakeService()
    expect(await getContractAddress(fakeClient(service, { wallet: undefined }).client)).toHaveProperty(
      'address',
    )
  })

  test('and no wallet either: the error names both ways', async () => {
    const service = fakeService()
    await expect(getBalances(fakeClient(service, { wallet: undefined }).client)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'wallet',
      message: expect.stringMatching(/needs a wallet or a session key[\s\S]*sessionKey/),
    })
    expect(service.requests).toEqual([])
  })

  test('of a signed submit does not change the error', async () => {
    expect(await sendGaslessTx(fakeClient(fakeService(), options).client, submitBody)).toEqual({
      hash: bytes32,
    })
  })
})
