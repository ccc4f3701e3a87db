import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { wireErrors } from '../core/errors/wireErrors.ts'
import { InvalidOrderIdError } from '../core/orderId.ts'
import { InvalidRecordError } from '../schema/index.ts'
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
import { createPaymentsClient } from './createPaymentsClient.ts'
import { getAuthMessage, verifyAuth } from './endpoints/auth.ts'
import { getBalances } from './endpoints/customer.ts'
import {
  creditsAuthMsg,
  getContractAddress,
  sendGaslessTx,
  usdcAuthorizationMessage,
} from './endpoints/redeem.ts'
import {
  InvalidAnswerError,
  isServiceError,
  OutcomeUnknownError,
  RequestAbortedError,
  type ServiceError,
  ServiceUnreachableError,
  SessionKeyError,
} from './errors.ts'
import type { PaymentsClient } from './paymentsClient.ts'

const calls: Record<string, (client: PaymentsClient, signal?: AbortSignal) => Promise<unknown>> = {
  '/api/auth': (client, signal) => getAuthMessage(client, { signal }),
  '/api/auth/verify': (client, signal) => verifyAuth(client, { signal }),
  '/api/redeem/evm/creditsAuthMsg': (client, signal) => creditsAuthMsg(client, askBody, { signal }),
  '/api/redeem/evm/sendGaslessTx': (client, signal) => sendGaslessTx(client, submitBody, { signal }),
  '/api/checkout/evm/usdc-authorization': (client, signal) =>
    usdcAuthorizationMessage(client, { amount: { cents: 400 } }, { signal }),
  '/api/utils/contract-address': (client, signal) => getContractAddress(client, { signal }),
  '/api/customer/balances/shop': (client, signal) => getBalances(client, { signal }),
}
const submitPath = '/api/redeem/evm/sendGaslessTx'

async function caught(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    return error as Error
  }
  throw new Error('It did not fail.')
}

async function serviceErrorOf(promise: Promise<unknown>): Promise<ServiceError> {
  const error = await caught(promise)
  if (!isServiceError(error)) throw error
  return error
}

describe('the calls', () => {
  test('each is sent to its path with its headers, and returns its response', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { sessionKey: 'session-key', deviceId: 'device' })
    for (const [path, call] of Object.entries(calls))
      expect(await call(client)).toEqual(
        path === '/api/auth/verify' ? undefined : goodAnswers[path as keyof typeof goodAnswers],
      )
    const of = (path: string) => service.requests.find((request) => request.path === path)
    expect(service.requests).toHaveLength(7)
    for (const { headers } of service.requests) expect(headers.authorization).toBeUndefined()
    expect(of(submitPath)).toMatchObject({
      method: 'POST',
      headers: {
        'x-svc-auth-wallet': wallet,
        'x-svc-auth-blockchain': 'base',
        'x-svc-auth-session-key': 'session-key',
        'x-device-id': 'device',
        'content-type': 'application/json',
      },
    })
    expect(JSON.parse(of(submitPath)?.body ?? '')).toEqual({ merchantId: 'shop', ...submitBody })
    expect(of('/api/auth')?.headers).toMatchObject({
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-blockchain': 'base',
    })
    expect(of('/api/auth')?.headers['x-svc-auth-session-key']).toBeUndefined()
    expect(of('/api/auth')?.body).toBe('')
    expect(of('/api/utils/contract-address')?.query).toBe('?blockchain=base')
    expect(of('/api/utils/contract-address')?.headers['x-svc-auth-wallet']).toBeUndefined()
  })

  test('use the header prefix and the path of the base URL, and the wallet and chain of one call', async () => {
    const service = fakeService(() => Response.json(goodAnswers['/api/auth']))
    const { client } = fakeClient(service, {
      baseUrl: 'https://service.example/pay/',
      headerPrefix: 'x-other-',
    })
    await getAuthMessage(client, { wallet: 'So1anaWa11et', blockchain: 'solana' })
    expect(service.requests[0]).toMatchObject({
      path: '/pay/api/auth',
      headers: { 'x-other-auth-wallet': 'So1anaWa11et', 'x-other-auth-blockchain': 'solana' },
    })
  })

  test('reject a lone surrogate in a path', async () => {
    const service = fakeService()
    await expect(getBalances(fakeClient(service).client, { creditSeed: 'a\udc00' })).rejects.toMatchObject({
      name: 'InvalidOptionError',
      field: 'creditSeed',
    })
    expect(service.requests).toStrictEqual([])
  })

  test('encode a name in a path, so that it cannot change the path', async () => {
    const service = fakeService(() => Response.json(goodAnswers['/api/customer/balances/shop']))
    const { client } = fakeClient(service)
    await getBalances(client, { creditSeed: '..a b/?x#y' })
    expect(service.requests[0]?.path).toBe('/api/customer/balances/..a%20b%2F%3Fx%23y')
    // a proxy may decode these before it resolves the path
    const climbing = ['../a', 'a/..', 'a/../b', 'a\\..\\b', '%2e%2e', '.%2E', 'a%2f..%5cb']
    for (const creditSeed of ['', '.', '../..', ...climbing])
      expect(await caught(getBalances(client, { creditSeed }))).toBeInstanceOf(InvalidOptionError)
    expect(service.requests).toHaveLength(1)
  })

  test('keep unknown fields of a response', async () => {
    const service = fakeService(() => Response.json({ hash: bytes32, block: 1 }))
    expect(await sendGaslessTx(fakeClient(service).client, submitBody)).toEqual({ hash: bytes32, block: 1 })
  })

  test('reject an invalid body before it is sent, and name the field', async () => {
    const service = fakeService()
    const { client } = fakeClient(service)
    const spoilt: [object, string][] = [
      [{ value: 1 }, 'value'],
      [{ subtotal: { cents: 1.5 } }, 'subtotal.cents'],
      [{ subtotal: { cents: -1 } }, 'subtotal.cents'],
      [{ transactionData: { type: 'token', destination: '0x1' } }, 'transactionData.destination'],
      [{ nonce: '0x1' }, 'nonce'],
      [{ signedMessages: {} }, 'signedMessages.permitCredits'],
      [{ creditsRawAmount: 2 ** 53 }, 'creditsRawAmount'],
      [{ chargebackProtectionData: {} }, 'chargebackProtectionData'],
      [{ merchantId: '' }, 'merchantId'],
    ]
    for (const [change, field] of spoilt) {
      // JavaScript callers can pass such a body
      const error = await caught(sendGaslessTx(client, { ...submitBody, ...change } as sendGaslessTx.Body))
      expect(error).toBeInstanceOf(InvalidRecordError)
      expect(error).toMatchObject({ field })
    }
    expect(service.requests).toHaveLength(0)
  })
})

describe('an error response', () => {
  for (const [code, row] of Object.entries(wireErrors))
    test(`${code} is ${row.name} with remedy ${row.remedy}`, async () => {
      const details = { paymentId: 'p-1', subscriptionId: 's-1', availableCents: 5, list: [{ a: null }] }
      const service = fakeService(
        errorAnswer(row.status, { name: 'x', message: 'why', code, requestId: 'r-1', details }),
      )
      const { client } = fakeClient(service, { retry: false })
      expect(await caught(getBalances(client))).toMatchObject({
        name: row.name,
        code,
        status: row.status,
        remedy: row.remedy,
        requestId: 'r-1',
        details,
        paymentId: 'p-1',
        message: expect.stringContaining('why'),
      })
    })

  test('has a name that narrows its type', async () => {
    const service = fakeService(
      errorAnswer(412, { code: 'SIMULATION_FAILED', message: 'no', details: { revertReason: 'SoldOut()' } }),
    )
    const error = await serviceErrorOf(creditsAuthMsg(fakeClient(service).client, askBody))
    switch (error.name) {
      case 'SimulationFailedError': {
        const code: 'SIMULATION_FAILED' = error.code
        expect([code, error.revertReason]).toEqual(['SIMULATION_FAILED', 'SoldOut()'])
        break
      }
      default:
        expect.unreachable()
    }
  })

  test('names the fields of its issues', async () => {
    const body = { code: 'INVALID_REQUEST', issues: ['subtotal.cents', { path: ['a', 'b'] }, 1] }
    const { client } = fakeClient(fakeService(errorAnswer(400, body)))
    expect(await serviceErrorOf(getBalances(client))).toMatchObject({
      issues: ['subtotal.cents', 'a.b'],
      field: 'subtotal.cents',
    })
  })

  test('is the error of its status if its code does not belong to that status', async () => {
    const name = async (status: number, body: unknown) =>
      (
        await serviceErrorOf(
          getBalances(fakeClient(fakeService(errorAnswer(status, body)), { retry: false }).client),
        )
      ).name
    expect(await name(400, { code: 'WHATEVER' })).toBe('InvalidRequestError')
    expect(await name(401, [])).toBe('UnauthenticatedError')
    expect(await name(403, { code: 'INSUFFICIENT_CREDITS' })).toBe('ForbiddenError')
    expect(await name(500, { code: 'ORDER_CANCELLED' })).toBe('ServiceFailureError')
    expect(await name(502, null)).toBe('ServiceFailureError')
    expect(await name(503, 1)).toBe('ServiceUnavailableError')
    expect(await name(409, { code: 'toString' })).toBe('UnknownServiceError')
    expect(await name(418, { code: '__proto__' })).toBe('UnknownServiceError')
    const html = fakeService(
      () => new Response('<h1>Bad</h1>', { status: 502, headers: { 'x-request-id': 'edge-1' } }),
    )
    expect(await caught(getBalances(fakeClient(html, { retry: false }).client))).toMatchObject({
      name: 'ServiceFailureError',
      requestId: 'edge-1',
    })
  })

  test('is the error of its code, even with hostile fields', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    for (const body of [
      '{"code":"ORDER_CANCELLED","issues":[{"path":[{"toString":1}]},[[{}]],null]}',
      `{"code":"ORDER_CANCELLED","details":${deep}}`,
      `{"code":"ORDER_CANCELLED","issues":[{"path":[${deep}]},${deep}]}`,
      '{"code":"ORDER_CANCELLED","message":{"toString":1},"details":{"__proto__":{"code":"X"}}}',
    ])
      expect(
        await caught(
          sendGaslessTx(
            fakeClient(fakeService(() => new Response(body, { status: 409 }))).client,
            submitBody,
          ),
        ),
      ).toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'OrderCancelledError', remedy: 'stop' } })
  })

  test('never shows a signature', async () => {
    const signature = `0x${'5a'.repeat(65)}`
    const service = fakeService(errorAnswer(412, { code: 'INVALID_PERMIT', message: `bad ${signature}` }))
    expect((await caught(sendGaslessTx(fakeClient(service).client, submitBody))).message).not.toContain(
      signature,
    )
  })
})

test('an error about a wallet factory shows the factory, and not the signature', async () => {
  const [factory, inner] = ['0ba5ed0c6aa8c49038f819e587e2633c4a9f428a', 'c4'.repeat(65)]
  const permitCredits = `0x${factory.padStart(64, '0')}${inner}${'6492'.repeat(16)}` as const
  const message = `Wallet factory 0x${factory} is not on the list: ${permitCredits}`
  const service = fakeService(errorAnswer(403, { code: 'FACTORY_NOT_ALLOWED', message }))
  const error = await caught(
    sendGaslessTx(fakeClient(service).client, { ...submitBody, signedMessages: { permitCredits } }),
  )
  expect(error).toMatchObject({ cause: { name: 'FactoryNotAllowedError' } })
  expect(String(error.cause)).toContain(factory)
  expect(String(error.cause)).not.toContain('c4c4c4c4')
})

describe('a retry', () => {
  const busy = (retryAfter?: string) =>
    errorAnswer(429, { code: 'RATE_LIMITED' }, retryAfter === undefined ? {} : { 'retry-after': retryAfter })

  test('waits after a 429 until the time in `retry-after`, or for the default without that header', async () => {
    const now = Date.parse('2026-11-20T12:00:00Z')
    for (const [path, call] of Object.entries(calls)) {
      const service = fakeService(busy('2'), busy('Fri, 20 Nov 2026 12:00:05 GMT'))
      const { client, waits } = fakeClient(service, { now: () => now })
      await call(client)
      expect([path, waits]).toEqual([path, [2000, 5000]])
    }
    // Date.parse reads most of these as a date in 2001
    for (const text of [undefined, 'soon', '1.5', '-5', '2s', '1, 2', '1e1']) {
      const { client, waits } = fakeClient(fakeService(busy(text), busy(text)))
      await getBalances(client)
      expect([text, waits]).toEqual([text, [500, 1000]])
    }
  })

  test('is not made after a 429 with a longer wait than allowed, or after the last attempt', async () => {
    const long = fakeClient(fakeService(busy('31')))
    expect(await caught(getBalances(long.client))).toMatchObject({
      name: 'RateLimitedError',
      retryAfterMs: 31_000,
    })
    expect(long.waits).toEqual([])
    const service = fakeService(busy('1'), busy('1'), busy('1'))
    const endless = fakeClient(service)
    expect(await caught(sendGaslessTx(endless.client, submitBody))).toMatchObject({
      name: 'OutcomeUnknownError',
      cause: { name: 'RateLimitedError' },
    })
    expect(endless.waits).toEqual([1000, 1000])
    expect(service.requests).toHaveLength(3)
  })

  test('sends the same body after INSUFFICIENT_CREDITS', async () => {
    const poor = errorAnswer(412, { code: 'INSUFFICIENT_CREDITS' })
    const service = fakeService(poor, poor)
    const { client, waits } = fakeClient(service)
    expect(await sendGaslessTx(client, submitBody)).toEqual({ hash: bytes32 })
    expect(waits).toEqual([500, 1000])
    expect(new Set(service.requests.map(({ body }) => body)).size).toBe(1)
    expect(
      await caught(sendGaslessTx(fakeClient(fakeService(poor, poor, poor)).client, submitBody)),
    ).toMatchObject({ name: 'OutcomeUnknownError', cause: { name: 'InsufficientCreditsError' } })
  })

  test('is made after a 5xx for calls that only read or prepare, and never for a submit', async () => {
    for (const status of [500, 502, 503, 504])
      for (const [path, call] of Object.entries(calls)) {
        const service = fakeService(errorAnswer(status, {}))
        const { client } = fakeClient(service)
        if (path === submitPath) {
          const error = await caught(call(client))
          expect(error).toBeInstanceOf(OutcomeUnknownError)
          expect(error).toMatchObject({ nonce: bytes32, remedy: 'lookUp', cause: { status } })
          expect(error.message).toMatch(/^The outcome of the redeem is unknown\./)
        } else await call(client)
        expect(service.requests.length).toBe(path === submitPath ? 1 : 2)
      }
  })

  test.each([{ salt: undefined }, { orderKey: undefined }])(
    'is not made for creditsAuthMsg without salt or order: %j',
    async (change) => {
      const service = fakeService(errorAnswer(500, {}))
      const { client } = fakeClient(service)
      expect(await caught(creditsAuthMsg(client, { ...askBody, ...change }))).toMatchObject({ status: 500 })
      expect(service.requests).toHaveLength(1)
    },
  )

  test('is not made after any other response', async () => {
    for (const [code, row] of Object.entries(wireErrors)) {
      if (['wait', 'backOff', 'tryAgain'].includes(row.remedy)) continue
      const service = fakeService(errorAnswer(row.status, { code }))
      expect(await caught(getBalances(fakeClient(service).client))).toMatchObject({ code })
      expect(service.requests).toHaveLength(1)
    }
  })

  test('is made after a broken connection for calls that only read or prepare, and never for a submit', async () => {
    for (const [path, call] of Object.entries(calls)) {
      let sent = 0
      const service = fakeService()
      const { client } = fakeClient(service, {
        fetch: (url, init) => {
          sent++
          if (sent === 1) throw new TypeError('fetch failed')
          return service.app.request(url, init)
        },
      })
      if (path === submitPath)
        expect(await caught(call(client))).toMatchObject({
          name: 'OutcomeUnknownError',
          cause: { name: 'ServiceUnreachableError' },
        })
      else await call(client)
      expect([path, sent]).toEqual([path, path === submitPath ? 1 : 2])
    }
  })

  test('waits for half to all of a base time, which doubles each time', async () => {
    for (const [chance, expected] of [
      [0, [500, 1_000]],
      [0.5, [375, 750]],
      [1, [250, 500]],
    ] as const) {
      const service = fakeService(errorAnswer(503, {}), errorAnswer(503, {}))
      const { client, waits } = fakeClient(service, { retry: { random: () => chance } })
      await getBalances(client)
      expect(waits).toEqual(expected)
    }
  })

  test.each([Number.NaN, Infinity, -1e12])('is not made if the random number is %s', async (chance) => {
    const service = fakeService(errorAnswer(503, {}), errorAnswer(503, {}))
    const { client, waits } = fakeClient(service, { retry: { random: () => chance } })
    await caught(getBalances(client))
    expect(waits).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  test('is never made with retry: false', async () => {
    for (const answer of [
      busy('1'),
      errorAnswer(503, {}),
      errorAnswer(412, { code: 'INSUFFICIENT_CREDITS' }),
    ]) {
      const service = fakeService(answer)
      const { client, waits } = fakeClient(service, { retry: false })
      expect(isServiceError(await caught(getBalances(client)))).toBe(true)
      expect([service.requests.length, waits]).toEqual([1, []])
    }
  })
})

describe('the session key', () => {
  const expired = errorAnswer(401, { code: 'UNAUTHENTICATED' })
  const keysOf = (service: ReturnType<typeof fakeService>) =>
    service.requests.map(({ headers }) => headers['x-svc-auth-session-key'])

  test('from a function is fetched for the first call that needs it, and once more after a 401', async () => {
    const service = fakeService(
      () => Response.json({ message: 'm' }),
      () => Response.json({ hash: bytes32 }),
      expired,
    )
    let asked = 0
    const { client, waits } = fakeClient(service, { sessionKey: async () => `session-key-${++asked}` })
    await getAuthMessage(client)
    expect(asked).toBe(0)
    await sendGaslessTx(client, submitBody)
    await sendGaslessTx(client, submitBody)
    await getBalances(client)
    expect(keysOf(service)).toEqual([
      undefined,
      'session-key-1',
      'session-key-1',
      'session-key-2',
      'session-key-2',
    ])
    expect(waits).toEqual([])
  })

  test('is not fetched again after a second 401, or if it is text', async () => {
    const service = fakeService(expired, expired)
    let asked = 0
    const { client } = fakeClient(service, { sessionKey: () => `session-key-${++asked}` })
    expect(await caught(getBalances(client))).toMatchObject({ name: 'UnauthenticatedError', remedy: 'logIn' })
    expect([asked, service.requests.length]).toEqual([2, 2])
    const fixed = fakeService(expired)
    expect(await caught(getBalances(fakeClient(fixed, { sessionKey: 'session-key' }).client))).toMatchObject({
      status: 401,
    })
    expect(fixed.requests).toHaveLength(1)
  })

  test.each([403, 500])(
    'is not fetched again by the same call after a %s, and a submit is not sent again',
    async (status) => {
      const service = fakeService(errorAnswer(status, {}))
      let asked = 0
      const { client } = fakeClient(service, { sessionKey: () => `session-key-${++asked}` })
      await caught(sendGaslessTx(client, submitBody))
      expect([asked, service.requests.length]).toEqual([1, 1])
    },
  )

  test('is fetched again by the next call after a 403, because the customer may have changed', async () => {
    const service = fakeService(errorAnswer(403, {}), errorAnswer(403, { code: 'NOT_WHITELISTED' }))
    let asked = 0
    const { client } = fakeClient(service, { sessionKey: () => `session-key-${++asked}` })
    await caught(getBalances(client))
    await caught(getBalances(client))
    await getBalances(client)
    expect(keysOf(service)).toEqual(['session-key-1', 'session-key-2', 'session-key-2'])
  })

  test('is fetched again if the same function is passed for another customer or merchant', async () => {
    const service = fakeService()
    let customer = 'alice'
    const sessionKey = () => `key of ${customer}`
    const { client } = fakeClient(service, { userId: 'alice', sessionKey })
    await getBalances(client)
    customer = 'bob'
    await getBalances(client.with({ userId: 'bob', sessionKey }))
    customer = 'carol'
    await getBalances(client.with({ merchantId: 'shop 2', sessionKey }), { creditSeed: 'shop' })
    expect(keysOf(service)).toEqual(['key of alice', 'key of bob', 'key of carol'])
  })

  test('that did not arrive in time is fetched again by the next call', async () => {
    const service = fakeService()
    let asked = 0
    const sessionKey = () => (++asked === 1 ? new Promise<string>(() => {}) : `session-key-${asked}`)
    const { client } = fakeClient(service, { sessionKey, timeoutMs: 20 })
    expect(await caught(getBalances(client))).toMatchObject({ name: 'ServiceTimeoutError' })
    await getBalances(client, { timeoutMs: 5_000 })
    expect(keysOf(service)).toEqual(['session-key-2'])
  })

  test('is fetched once for concurrent calls', async () => {
    const service = fakeService()
    let asked = 0
    const { client } = fakeClient(service, { sessionKey: async () => `session-key-${++asked}` })
    await Promise.all([getBalances(client), getBalances(client), creditsAuthMsg(client, askBody)])
    expect(asked).toBe(1)
  })

  test('is fetched once more for concurrent calls that get a 401', async () => {
    const service = fakeService(expired, expired, expired)
    let asked = 0
    const { client } = fakeClient(service, { sessionKey: async () => `session-key-${++asked}` })
    await Promise.all([getBalances(client), getBalances(client), sendGaslessTx(client, submitBody)])
    expect(asked).toBe(2)
    expect(keysOf(service)).toEqual([...Array(3).fill('session-key-1'), ...Array(3).fill('session-key-2')])
  })

  test('from a function that fails or returns anything but one line of text is an error, and is fetched again later', async () => {
    const service = fakeService()
    const gives: (() => unknown)[] = [
      () => {
        throw new Error('secret-key-in-here')
      },
      () => Promise.reject(new Error('secret-key-in-here')),
      () => undefined,
      () => 'two\nlines',
      () => '',
    ]
    let give: (() => unknown) | undefined
    // JavaScript callers can return any value
    const { client } = fakeClient(service, { sessionKey: () => (give ? (give() as string) : 'session-key') })
    for (give of gives) {
      const error = await caught(getBalances(client))
      expect(error).toBeInstanceOf(SessionKeyError)
      expect(textOf(error)).not.toContain('secret-key')
    }
    expect(service.requests).toHaveLength(0)
    give = undefined
    await getBalances(client)
    expect(keysOf(service)).toEqual(['session-key'])
  })
})

describe('the signed message', () => {
  const kept = { wallet, blockchain: 'base' as const, signedMessage: 'signed-message', expiresAt: 2000 }
  const sentBy = async (client: PaymentsClient, service: ReturnType<typeof fakeService>, options = {}) => {
    await getBalances(client, options)
    return service.requests.at(-1)?.headers['x-svc-auth-signed-message']
  }

  test('is sent with calls of its wallet on its chain, until it expires', async () => {
    const service = fakeService()
    let seconds = 1000
    const { client } = fakeClient(service, { now: () => seconds * 1000 })
    expect(await sentBy(client, service)).toBeUndefined()
    client.keepSignedMessage(kept)
    expect(await sentBy(client, service)).toBe('signed-message')
    expect(await sentBy(client, service, { wallet: wallet.toLowerCase() })).toBe('signed-message')
    expect(await sentBy(client, service, { blockchain: 'eth' })).toBeUndefined()
    expect(await sentBy(client, service, { wallet: `0x${'11'.repeat(20)}` })).toBeUndefined()
    seconds = 1999
    expect(await sentBy(client, service)).toBe('signed-message')
    seconds = 2000
    expect(await sentBy(client, service)).toBeUndefined()
    seconds = 2001
    expect(await sentBy(client, service)).toBeUndefined()
  })

  test('may be an option, and is shared with the clients that `with` returns', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { signedMessage: 'signed-message' })
    expect(await sentBy(client, service)).toBe('signed-message')
    expect(await sentBy(client.with({ timeoutMs: 5 * 60_000 }), service)).toBe('signed-message')
    expect(() => fakeClient(service, { signedMessage: 'signed-message', wallet: undefined })).toThrow(
      InvalidOptionError,
    )
  })

  test('is sent to its service and environment only; a session key also only for its merchant and customer', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, {
      environment: 'sandbox',
      signedMessage: 'signed-message',
      sessionKey: 'session-key',
    })
    const secretsOf = async (one: PaymentsClient) => {
      const signedMessage = await sentBy(one, service, { creditSeed: 'shop' })
      return [signedMessage, service.requests.at(-1)?.headers['x-svc-auth-session-key']]
    }
    const other = client.with({ baseUrl: 'https://other.example' })
    expect(await secretsOf(other)).toEqual([undefined, undefined])
    expect(await secretsOf(other.with({ baseUrl: client.baseUrl }))).toEqual(['signed-message', undefined])
    expect(await secretsOf(client.with({ baseUrl: `${client.baseUrl}/` }))).toEqual([
      'signed-message',
      'session-key',
    ])
    expect((await secretsOf(client.with({ environment: 'prod' })))[0]).toBeUndefined()
    const given = { signedMessage: 'other-message', sessionKey: 'other-key' }
    expect(await secretsOf(other.with(given))).toEqual(['other-message', 'other-key'])
    expect(await secretsOf(client)).toEqual(['signed-message', 'session-key'])
    expect(() => client.with({ baseUrl: 'ftp://x' })).toThrow(InvalidOptionError)
    expect(await secretsOf(client.with({ merchantId: 'other' }))).toEqual(['signed-message', undefined])
    const alice = client.with({ userId: 'alice' })
    expect(await secretsOf(alice)).toEqual(['signed-message', 'session-key'])
    expect(await secretsOf(alice.with({ userId: 'bob' }))).toEqual(['signed-message', undefined])
    expect(await secretsOf(alice.with({ userId: 'bob', sessionKey: 'key of bob' }))).toEqual([
      'signed-message',
      'key of bob',
    ])
    const anonymous = fakeClient(service, { wallet: undefined }).client
    anonymous.keepSignedMessage(kept)
    expect(await caught(getBalances(anonymous.with({ baseUrl: 'https://other.example' })))).toMatchObject({
      field: 'wallet',
    })
  })

  test('determines the wallet for calls that do not name one', async () => {
    const service = fakeService()
    const { client } = fakeClient(service, { wallet: undefined })
    expect(await caught(getBalances(client))).toMatchObject({
      name: 'InvalidOptionError',
      field: 'wallet',
    })
    client.keepSignedMessage({ ...kept, expiresAt: undefined })
    await getBalances(client)
    expect(service.requests[0]?.headers['x-svc-auth-wallet']).toBe(wallet)
  })
})

describe('options', () => {
  const good = { baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' as const }
  const refused: [object, string][] = [
    [{ baseUrl: undefined }, 'baseUrl'],
    [{ baseUrl: 'service.example' }, 'baseUrl'],
    [{ baseUrl: 'ftp://service.example' }, 'baseUrl'],
    [{ baseUrl: 'http://service.example' }, 'baseUrl'],
    [{ baseUrl: 'http://127.0.0.1.example' }, 'baseUrl'],
    [{ baseUrl: 'http://1.2.3.4' }, 'baseUrl'],
    [{ baseUrl: 'https://user:url-password@service.example' }, 'baseUrl'],
    [{ baseUrl: 'https://service.example/?key=url-password' }, 'baseUrl'],
    [{ baseUrl: 'https://service.example/#url-password' }, 'baseUrl'],
    [{ merchantId: '' }, 'merchantId'],
    [{ merchantId: 5 }, 'merchantId'],
    [{ merchantId: 'shop\ud800' }, 'merchantId'],
    [{ merchantId: 'shop ' }, 'merchantId'],
    [{ merchantId: 'cafe\u0301' }, 'merchantId'],
    [{ blockchain: 'bitcoin' }, 'blockchain'],
    [{ environment: 'staging' }, 'environment'],
    [{ wallet: '0x12' }, 'wallet'],
    [{ wallet: `${wallet}\r\nx: y` }, 'wallet'],
    [{ blockchain: 'solana', wallet: 'a b' }, 'wallet'],
    [{ sessionKey: 'url-password\nx' }, 'sessionKey'],
    [{ sessionKey: 5 }, 'sessionKey'],
    [{ wallet, signedMessage: 'url-password\u0000' }, 'signedMessage'],
    [{ deviceId: 'ü' }, 'deviceId'],
    [{ headerPrefix: 'x svc' }, 'headerPrefix'],
    [{ headerPrefix: { toString: 1 } }, 'headerPrefix'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ retry: { attempts: 0 } }, 'retry.attempts'],
    ...['baseMs', 'maxWaitMs'].flatMap((name): [object, string][] =>
      [Number.NaN, Infinity, -1, 0, 2 ** 31, '30', null].map((value) => [
        { retry: { [name]: value } },
        `retry.${name}`,
      ]),
    ),
    [{ maxAnswerBytes: -1 }, 'maxAnswerBytes'],
  ]
  for (const [change, field] of refused)
    test(`refused: ${JSON.stringify(change)}`, () => {
      try {
        // JavaScript callers can pass such options
        createPaymentsClient({ ...good, ...change } as createPaymentsClient.Options)
        expect.unreachable()
      } catch (error) {
        const isOfId = field === 'merchantId'
        expect(error).toBeInstanceOf(isOfId ? InvalidOrderIdError : InvalidOptionError)
        expect(error).toMatchObject({ field, fix: expect.any(String) })
        expect(textOf(error)).not.toContain('url-password')
      }
    })

  for (const baseUrl of [
    'http://localhost:3000',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000',
    'http://sandbox:3000',
    'http://pay.test',
    'https://service.example/base',
  ])
    test(`accepted: ${baseUrl}`, () => {
      expect(createPaymentsClient({ ...good, baseUrl }).baseUrl).toBe(baseUrl.replace(/\/$/, ''))
    })

  test('are frozen in the client, which shows no credentials', () => {
    const client = createPaymentsClient({
      ...good,
      wallet,
      sessionKey: 'session-key',
      signedMessage: 'signed-message',
    })
    expect(Object.isFrozen(client)).toBe(true)
    expect(`${JSON.stringify(client)}${Object.values(client).join()}`).not.toMatch(
      /session-key"|signed-message/,
    )
  })
})

describe('an abort', () => {
  test('before the request sends nothing', async () => {
    for (const call of Object.values(calls)) {
      const service = fakeService()
      const error = await caught(call(fakeClient(service).client, AbortSignal.abort()))
      expect(error).toBeInstanceOf(RequestAbortedError)
      expect(error).toMatchObject({ remedy: 'stop' })
      expect(service.requests).toHaveLength(0)
    }
  })

  test('during the request ends the call immediately with remedy lookUp, even if fetch ignores signals', async () => {
    for (const call of Object.values(calls)) {
      const controller = new AbortController()
      const { client } = fakeClient(fakeService(), {
        fetch: () => {
          queueMicrotask(() => controller.abort())
          return new Promise<Response>(() => {})
        },
      })
      expect(await caught(call(client, controller.signal))).toMatchObject({
        name: 'RequestAbortedError',
        remedy: 'lookUp',
      })
    }
  })

  test('leaves no listener after the call has ended', async () => {
    const { signal } = new AbortController()
    const { client } = fakeClient(fakeService(errorAnswer(429, {})), { signal })
    await getBalances(client, { signal })
    await caught(getBalances(client, { signal, wallet: 'no wallet' }))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends a wait, a body read and a session key fetch, even if the signal of the client aborts', async () => {
    const controller = new AbortController()
    const waiting = fakeClient(fakeService(errorAnswer(429, {}, { 'retry-after': '1' })), {
      sleep: () => {
        controller.abort()
        return new Promise(() => {})
      },
    })
    expect(await caught(getBalances(waiting.client, { signal: controller.signal }))).toMatchObject({
      remedy: 'stop',
    })

    const second = new AbortController()
    const reading = fakeClient(
      fakeService(() => new Response(new ReadableStream({ pull: () => second.abort() }), { status: 200 })),
      { signal: second.signal },
    )
    expect(await caught(getBalances(reading.client))).toMatchObject({
      name: 'RequestAbortedError',
      remedy: 'lookUp',
    })

    const third = new AbortController()
    const asking = fakeClient(fakeService(), {
      sessionKey: () => {
        third.abort()
        return new Promise<string>(() => {})
      },
    })
    expect(await caught(getBalances(asking.client, { signal: third.signal }))).toMatchObject({
      remedy: 'stop',
    })
  })
})

describe('secrets', () => {
  test('that are stored while a body is read are removed from that body', async () => {
    const late = 'kept-in-the-meantime'
    const service = fakeService(() => {
      const body = JSON.stringify({ code: 'INVALID_REQUEST', message: `not ${late}` })
      const pull = (controller: ReadableStreamDefaultController) => {
        client.keepSignedMessage({ wallet, blockchain: 'base', signedMessage: late })
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      }
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status: 400 })
    })
    const { client } = fakeClient(service)
    const error = await getBalances(client).catch((error) => error)
    expect(`${error} ${JSON.stringify(error)}`).toContain('[removed]')
    expect(`${error} ${JSON.stringify(error)}`).not.toContain(late)
  })

  const sessionKey = 'session-key-0123456789'
  const signedMessage = `0x${'9e'.repeat(65)}`

  test('are in no hook and no error, even if the service or fetch repeats them', async () => {
    const echo = {
      sessionKey,
      signedMessage,
      message: `${sessionKey} ${signedMessage}`,
      code: sessionKey,
      requestId: sessionKey,
    }
    const answers: (() => Response)[] = [
      errorAnswer(400, { ...echo, issues: [sessionKey], details: { [sessionKey]: [signedMessage] } }),
      errorAnswer(401, echo),
      errorAnswer(412, { ...echo, code: 'SIMULATION_FAILED', details: { revertReason: sessionKey } }),
      errorAnswer(500, echo, { 'x-request-id': sessionKey }),
      () => new Response(sessionKey, { headers: { 'x-request-id': sessionKey } }),
      () => Response.json({ hash: sessionKey, [sessionKey]: 1 }),
      () => {
        throw new Error(`failed with ${sessionKey}`, { cause: new Error(signedMessage) })
      },
    ]
    for (const answer of answers)
      for (const call of Object.values(calls)) {
        const seen: unknown[] = []
        const { client } = fakeClient(fakeService(), {
          sessionKey,
          signedMessage,
          retry: false,
          fetch: answer,
          onRequest: (info) => seen.push(info),
          onResponse: (info) => seen.push(info),
        })
        const error = await call(client).then(
          (value) => value,
          (cause: unknown) => cause,
        )
        if (error instanceof Error)
          expect(textOf(error)).not.toMatch(new RegExp(`${sessionKey}|${signedMessage}`))
        expect(seen).toHaveLength(2)
        expect(JSON.stringify(seen)).not.toMatch(new RegExp(`${sessionKey}|${signedMessage}`))
      }
  })

  test('that are signatures are removed from errors', async () => {
    const [permit, other, r, s] = ['7b'.repeat(65), '2d'.repeat(200), '5a'.repeat(32), '3c'.repeat(32)]
    const transfer = {
      from: wallet,
      to: wallet,
      value: '1',
      validAfter: 0,
      validBefore: 1,
      nonce: bytes32,
    } as const
    const v1 = { ...transfer, v: 27, r: `0x${r}`, s: `0x${s}` } as const
    const v2 = { ...transfer, signature: `0x${other}` } as const
    const permitCredits = `0x${permit}` as const
    const sent: [sendGaslessTx.Body['signedMessages'], ...string[]][] = [
      [{ permitCredits, customerUsdcAuthData: v1 }, permit, r + s],
      [{ permitCredits, customerUsdcAuthDataV2: v2 }, permit, other],
    ]
    for (const [signedMessages, ...secrets] of sent)
      for (const status of [200, 400, 412, 500]) {
        const text = secrets.join(' ')
        const { client } = fakeClient(fakeService(), {
          retry: false,
          fetch: (_, { body }) =>
            Response.json(
              {
                hash: text,
                code: text,
                message: `${text} ${body}`,
                issues: [text, body],
                details: { body: JSON.parse(String(body)), revertReason: text, text: body },
                requestId: text,
              },
              { status },
            ),
        })
        const error = textOf(await caught(sendGaslessTx(client, { ...submitBody, signedMessages })))
        for (const secret of [...secrets, r, s]) expect(error).not.toContain(secret)
      }
  })

  test('are hidden from hooks, which receive every attempt and whose errors are ignored', async () => {
    const seen: unknown[] = []
    const { client } = fakeClient(fakeService(errorAnswer(503, {})), {
      sessionKey,
      now: () => 5,
      onRequest: ({ method, attempt, headers }) => {
        seen.push([method, attempt, headers['x-svc-auth-session-key'], headers['x-svc-auth-wallet']])
        throw new Error('hook')
      },
      onResponse: async ({ status, attempt, errorName, ms, url }) => {
        seen.push([status, attempt, errorName, ms, url])
        throw new Error('hook')
      },
    })
    await getBalances(client)
    const url = 'https://service.example/api/customer/balances/shop'
    expect(seen).toEqual([
      ['GET', 1, '[removed]', wallet],
      [503, 1, 'ServiceUnavailableError', 0, url],
      ['GET', 2, '[removed]', wallet],
      [200, 2, undefined, 0, url],
    ])
  })
})

describe('an invalid response', () => {
  const garbage: [string, () => Response][] = [
    ['an empty body', () => new Response('', { status: 200 })],
    ['204', () => new Response(null, { status: 204 })],
    [
      'a page',
      () => new Response('<!doctype html><h1>Hi</h1>', { headers: { 'content-type': 'text/html' } }),
    ],
    ['truncated JSON', () => new Response('{"hash": "0x')],
    ['JSON followed by more', () => new Response('{} {}')],
    ['null', () => Response.json(null)],
    ['a list', () => Response.json([])],
    ['text', () => Response.json('hash')],
    ['a number', () => Response.json(5)],
    ['bytes that are not UTF-8', () => new Response(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))],
    ['a body that is too long', () => new Response(`{"a":"${'x'.repeat(2 ** 20)}"}`)],
    ['deep nesting', () => new Response('['.repeat(100_000) + ']'.repeat(100_000))],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } }),
    ],
    ['another redirect', () => new Response('{}', { status: 307, headers: { location: '/' } })],
    ['not modified', () => new Response(null, { status: 304 })],
  ]
  for (const [name, answer] of garbage)
    test(`throws an InvalidAnswerError from each endpoint, without a retry: ${name}`, async () => {
      for (const [path, call] of Object.entries(calls)) {
        // this call expects no record
        if (path === '/api/auth/verify' && /^(an empty body|204|text)$/.test(name)) continue
        const service = fakeService(answer)
        let error: unknown = await caught(call(fakeClient(service).client))
        if (path === submitPath) {
          expect(error).toBeInstanceOf(OutcomeUnknownError)
          error = (error as OutcomeUnknownError).cause
        }
        expect(error).toBeInstanceOf(InvalidAnswerError)
        expect(error).toMatchObject({ status: answer().status, remedy: 'tryAgain', fix: expect.any(String) })
        expect(service.requests).toHaveLength(1)
      }
    })

  test('names the field that has a wrong type', async () => {
    const wrong = [null, {}, [], true, 1.5, -1, 2 ** 53 - 1, 'x', '', '0x', undefined]
    for (const [path, call] of Object.entries(calls)) {
      const answer = goodAnswers[path as keyof typeof goodAnswers]
      for (const [field, spoilt] of mutations(answer, wrong)) {
        const service = fakeService(() => Response.json(spoilt))
        let error: unknown
        try {
          await call(fakeClient(service).client)
          // the schema allows some of the values: free text, any whole number, an absent optional field
          expect(`${path} ${field}`).toMatch(
            /message$|validAfter|validBefore|creditsRawAmount|cents$|salt$|usdcAuthorization$|address$|\.value$/,
          )
          continue
        } catch (cause) {
          error = path === submitPath ? (cause as OutcomeUnknownError).cause : cause
        }
        expect(error).toBeInstanceOf(InvalidAnswerError)
        expect(String((error as InvalidAnswerError).field)).toMatch(new RegExp(`^${field}`))
      }
    }
  })

  test('is a response with an integer above 2^53 at any position', async () => {
    for (const text of [
      '{"message":"{}","validBefore":"1","nonce":"N","creditsRawAmount":9007199254740993}',
      '{"message":"{}","validBefore":"1","nonce":"N","creditsRawAmount":1,"other":{"deep":[1e400]}}',
      '{"message":"{}","validBefore":"1","nonce":"N","creditsRawAmount":1.00000000000000000001}',
    ]) {
      const service = fakeService(() => new Response(text.replace('N', bytes32)))
      expect(await caught(creditsAuthMsg(fakeClient(service).client, askBody))).toMatchObject({
        name: 'InvalidAnswerError',
        message: expect.stringContaining('JSON number'),
      })
    }
  })

  test('is a response with bytes that are not UTF-8', async () => {
    const service = fakeService(
      () => new Response(new Uint8Array([...Buffer.from('{"message":"'), 0xff, 0x22, 0x7d])),
    )
    expect(await caught(getAuthMessage(fakeClient(service).client))).toMatchObject({
      name: 'InvalidAnswerError',
      message: expect.stringContaining('UTF-8'),
    })
  })

  test('may be any value that a broken fetch returns', async () => {
    for (const nothing of [undefined, null, 5, {}, { status: 200 }, Response.error()]) {
      const { client } = fakeClient(fakeService(), { fetch: () => nothing as Response, retry: false })
      expect(['ServiceUnreachableError', 'InvalidAnswerError']).toContain(
        (await caught(getBalances(client))).name,
      )
    }
    const { client } = fakeClient(fakeService(), { fetch: () => Promise.reject('text'), retry: false })
    expect(await caught(getBalances(client))).toBeInstanceOf(ServiceUnreachableError)
  })
})

/** Returns everything in an error that a log may show. */
function textOf(error: unknown): string {
  let text = ''
  for (let at = error, depth = 0; at instanceof Error && depth < 8; depth++) {
    text += `${at} ${at.stack} ${JSON.stringify(at)} ${JSON.stringify(Object.fromEntries(Object.getOwnPropertyNames(at).map((key) => [key, String(Reflect.get(at as Error, key))])))}`
    at = at.cause
  }
  return text
}

function mutations(value: unknown, wrong: readonly unknown[], path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    const at = path ? `${path}.${key}` : key
    return [
      ...wrong.map((other): [string, unknown] => [at, { ...value, [key]: other }]),
      ...mutations(one, wrong, at).map(([field, spoilt]): [string, unknown] => [
        field,
        { ...value, [key]: spoilt },
      ]),
    ]
  })
}

test.each<[string, object]>([
  ['merchantID', { merchantID: 'shop' }],
  ['timeout', { timeout: 5 }],
  ['retry.attempt', { retry: { attempt: 1 } }],
  ['retry', { retry: 3 }],
  ['fetch', { fetch: 'yes' }],
  ['signal', { signal: 'stop' }],
])('a misspelled option, or one of a wrong type, is rejected: %s', (field, options) => {
  const own = { baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' } as const
  for (const make of [
    () => createPaymentsClient({ ...own, ...options }),
    () => createPaymentsClient(own).with(options),
  ])
    expect(make).toThrow(expect.objectContaining({ name: 'InvalidOptionError', field }))
})
