import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'
import type { RequestLogEntry } from '../../requestLog.ts'
import { movableClock } from '../../store/movableClock.ts'
import { createSandboxControls, faultStatuses } from '../controls/sandboxControls.ts'
import { sandboxRoutes } from '../controls/sandboxRoutes.ts'
import { testKeys, testService } from '../service.fixture.ts'
import type { Service } from '../service.ts'
import { ownRequest } from './checkCaller.ts'
import { createApp } from './createApp.ts'
import { authorizedMerchant } from './merchant.ts'
import { problem } from './problem.ts'
import { readBody } from './readBody.ts'
import type { Route } from './route.ts'

let fixture: Awaited<ReturnType<typeof testService>>
let done = 0
const start = Date.parse('2026-05-01T12:00:00Z')

beforeAll(async () => {
  fixture = await testService()
})
beforeEach(() => {
  done = 0
  fixture.setTime(start)
})
afterAll(() => fixture?.close())

const touch: Route = {
  method: 'POST',
  path: '/api/touch/:what',
  handle: async (_, context) => {
    await readBody(context, z.strictObject({}))
    done++
    return { done }
  },
}
const whoAmI: Route = { method: 'GET', path: '/api/who', handle: authorizedMerchant }
const fail: Route = {
  method: 'GET',
  path: '/api/fail',
  handle: () => {
    throw new Error('a secret: hunter2')
  },
}

/** One error of each code, with details. */
const refusals: Route[] = (
  [
    ['CHALLENGE_REQUIRED', { transactionId: 't', url: 'https://acs.example', creq: 'e30' }],
    ['VERIFICATION_REQUIRED', { verificationLink: 'https://v.example', redirectLink: 'https://r.example' }],
    ['PAYMENT_METHOD_IN_USE', undefined],
    ['CARD_DECLINED', { paymentId: 'pay_1', reason: 'declined' }],
    ['NOT_FOUND', undefined],
  ] as const
).map(([code, details]) => ({
  method: 'GET',
  path: `/api/refuse/${code}`,
  handle: () => {
    throw problem(code, 'Why.', { details })
  },
}))

type Changes = { settings?: Partial<Service['settings']> } & Partial<Omit<Service, 'settings'>>

function appOf({ settings, ...changes }: Changes = {}) {
  const sandboxControls = createSandboxControls(movableClock(() => start))
  const service: Service = {
    ...fixture.service,
    sandboxControls,
    ...changes,
    settings: { ...fixture.service.settings, ...settings },
  }
  return createApp(service, [touch, whoAmI, fail, ...refusals, ...sandboxRoutes])
}

const post = (
  headers: Record<string, string> = {},
  { app = appOf(), path = '/api/touch/it', body = '{}' as unknown } = {},
) =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('pages', () => {
  test.each([
    'http://localhost:5173',
    'https://127.0.0.1',
    'http://[::1]:8080',
    'https://shop.example',
    'https://pay.example',
  ])('of %s may call, and the CORS header names that origin', async (origin) => {
    const settings = { allowedOrigins: ['https://shop.example'], publicUrl: 'https://pay.example' }
    const response = await post({ origin }, { app: appOf({ settings }) })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('vary')).toMatch(/origin/i)
  })

  test.each([
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'https://shop.example:444',
    'http://localhost:5173/path',
    'file://',
    'chrome-extension://abcdefgh',
    'http://2130706433',
    '',
  ])('of %j are rejected before the handler runs', async (origin) => {
    const app = appOf({ settings: { allowedOrigins: ['https://shop.example'] } })
    const response = await post({ origin }, { app })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'FORBIDDEN', issues: ['origin'] })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(done).toBe(0)
    const asked = await app.request('/api/touch/it', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(403)
  })

  test('of another site cannot send an image request, which has no origin but a sec-fetch-site header', async () => {
    const get = (headers: Record<string, string>) =>
      appOf().request('/api/who', { headers: { authorization: testKeys.shop, ...headers } })
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await get({ ...foreign, 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
    expect((await get({ ...foreign, 'sec-fetch-mode': 'navigate' })).status).toBe(200)
    expect((await get({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('a program without an origin may call', async () => {
    expect((await post()).status).toBe(200)
  })
})

describe('hosts', () => {
  const settings = { allowedHosts: ['pay.test', 'other.test:8080'], publicUrl: 'https://pay.example' }
  test.each([
    'localhost:4242',
    'shop.localhost',
    '127.0.0.1',
    '[::1]:4242',
    'pay.test:9',
    'other.test:8080',
    'pay.example',
  ])('%s is a host of the service', async (host) => {
    expect((await post({ host }, { app: appOf({ settings }) })).status).toBe(200)
  })
  test.each([
    'evil.example',
    'evil.example:4242',
    'localhost.evil.example',
    'other.test',
    'localhost@evil.example',
    '10.0.0.1',
    'a b',
    '',
  ])('%j is not a host of the service', async (host) => {
    const response = await post({ host }, { app: appOf({ settings }) })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ issues: ['host'] })
    expect(done).toBe(0)
  })
})

describe('limits', () => {
  test('reject too many or too large headers', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '1']))
    const large = { 'x-large': 'a'.repeat(17_000) }
    for (const headers of [many, large])
      expect(await (await post(headers)).json()).toMatchObject({
        code: 'INVALID_REQUEST',
        issues: ['headers'],
      })
  })

  test('requests over the limit succeed after the time in retry-after', async () => {
    let time = start
    const app = appOf({ settings: { rateLimit: { perSecond: 0.5, burst: 2 } }, now: () => time })
    const status = async (headers?: Record<string, string>) => (await post(headers, { app })).status
    expect([await status(), await status()]).toEqual([200, 200])
    const limited = await post({}, { app })
    expect(limited.status).toBe(429)
    expect(limited.headers.get('retry-after')).toBe('2')
    expect(await limited.json()).toMatchObject({ code: 'RATE_LIMITED' })
    time += 1999
    expect(await status()).toBe(429)
    time += 1
    expect(await status()).toBe(200)
  })

  test('each key has one limit for all addresses', async () => {
    const app = appOf({ settings: { rateLimit: { perSecond: 1, burst: 2 } } })
    const from = (remoteAddress: string, key: string) =>
      app.request(
        '/api/who',
        { headers: { authorization: key } },
        { incoming: { socket: { remoteAddress } } },
      )
    expect((await from('10.0.0.1', testKeys.shop)).status).toBe(200)
    expect((await from('10.0.0.2', testKeys.shop)).status).toBe(200)
    expect((await from('10.0.0.3', testKeys.shop)).status).toBe(429)
    expect((await from('10.0.0.4', testKeys.other)).status).toBe(200)
  })

  test.each([
    [{}, 'no content type'],
    [{ 'content-type': 'text/plain' }, 'a type that a form can send'],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'a compressed body'],
  ])('reject a body with the headers %j: %s', async (headers, _) => {
    const response = await appOf().request('/api/touch/it', {
      method: 'POST',
      headers,
      body: new TextEncoder().encode('{}'),
    })
    expect(response.status).toBe(415)
  })
})

describe('the log', () => {
  async function logged(
    ask: (app: ReturnType<typeof appOf>) => Promise<Response> | Response,
    changes?: Changes,
  ) {
    const entries: RequestLogEntry[] = []
    const response = await ask(appOf({ onLog: (entry) => entries.push(entry), ...changes }))
    expect(entries).toHaveLength(1)
    return { entry: entries[0], response }
  }

  test('records request, route and status', async () => {
    const { entry, response } = await logged((app) =>
      app.request('/api/who?secret=hunter2', {
        headers: { authorization: testKeys.shop, 'x-request-id': 'mine-1' },
      }),
    )
    expect(entry).toEqual({
      time: '2026-05-01T12:00:00.000Z',
      id: response.headers.get('x-request-id'),
      callerId: 'mine-1',
      method: 'GET',
      route: '/api/who',
      status: 200,
      ms: expect.any(Number),
      merchantId: 'shop',
    })
  })

  test('records the path’s pattern and the error code', async () => {
    const { entry } = await logged((app) =>
      post({ 'content-type': 'x/y' }, { app, path: '/api/touch/hunter2' }),
    )
    expect(entry).toMatchObject({ route: '/api/touch/:what', status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    expect((await logged((app) => app.request('/hunter2'))).entry).toMatchObject({ route: null, status: 404 })
    expect((await logged((app) => post({ origin: 'https://evil.example' }, { app }))).entry).toMatchObject({
      status: 403,
    })
  })

  test('ignores a request id of the caller that does not fit on a line', async () => {
    for (const id of ['a b', 'x'.repeat(65), '{"a":1}'])
      expect((await logged((app) => post({ 'x-request-id': id }, { app }))).entry).not.toHaveProperty(
        'callerId',
      )
  })

  test('cannot affect the response if it fails', async () => {
    const errors: unknown[] = []
    const app = appOf({
      onLog: () => {
        throw new Error('the disk is full')
      },
      onError: (error) => errors.push(error),
    })
    expect((await post({}, { app })).status).toBe(200)
    expect(errors).toHaveLength(1)
  })

  test('is the only place that shows an internal error', async () => {
    const { response } = await logged((app) => app.request('/api/fail'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/hunter2|node_modules|\.ts/)
  })
})

const texts = { message: 'Error Processing your request', details: 'Why.' }

test.each([
  ['CHALLENGE_REQUIRED', { ...texts, transactionId: 't', url: 'https://acs.example', creq: 'e30' }],
  [
    'VERIFICATION_REQUIRED',
    { ...texts, verificationLink: 'https://v.example', redirectLink: 'https://r.example' },
  ],
  ['PAYMENT_METHOD_IN_USE', { ...texts, code: 'PAYMENT_METHOD_IN_USE' }],
  ['CARD_DECLINED', { ...texts, paymentId: 'pay_1' }],
  ['NOT_FOUND', texts],
] as const)(
  'a service with random nonces returns %s in the format of deployed services',
  async (code, body) => {
    const response = await appOf({ kind: 'randomNonce' }).request(`/api/refuse/${code}`)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: wireErrors[code].status,
      body,
    })
  },
)

describe('faults', () => {
  const fault = async (app: ReturnType<typeof appOf>, body: object) => {
    const response = await post({}, { app, path: '/sandbox/fault', body })
    return { status: response.status, body: await response.json() }
  }

  test.each(faultStatuses)(
    'replace the response with status %i without executing the request',
    async (status) => {
      const app = appOf()
      expect(await fault(app, { path: '/api/touch/*', kind: 'status', status, times: 1 })).toMatchObject({
        status: 200,
      })
      const faulty = await post({}, { app })
      expect(faulty.status).toBe(status)
      expect(faulty.headers.get('retry-after')).toBe(status === 429 ? '1' : null)
      if (status === 451)
        expect(await faulty.json()).toMatchObject({
          code: 'VERIFICATION_REQUIRED',
          details: { verificationLink: expect.stringMatching(/^http/) },
        })
      expect(done).toBe(0)
      expect((await post({}, { app })).status).toBe(200)
    },
  )

  test('can be a declined card without a payment', async () => {
    const app = appOf()
    await fault(app, { path: '/api/touch/*', kind: 'status', status: 402, times: 1 })
    const { code, details } = await (await post({}, { app })).json()
    expect([code, details]).toEqual(['CARD_DECLINED', { reason: 'declined' }])
  })

  test('do not affect requests of the process’s own pages, which are not counted or listed', async () => {
    const app = appOf({ settings: { rateLimit: { perSecond: 1, burst: 2 } } })
    await fault(app, { path: '/api/*', kind: 'status', status: 503, times: 1 })
    const read = () => app.fetch(new Request('http://localhost/api/who'), ownRequest)
    const statuses = [await read(), await read(), await read()].map(({ status }) => status)
    expect(statuses).not.toContain(503)
    expect(statuses).not.toContain(429)
    const { requests } = await (await app.request('/sandbox/log')).json()
    expect(requests).toMatchObject([{ route: '/sandbox/fault' }])
  })

  test('can be a lost response after the request was executed', async () => {
    const app = appOf()
    await fault(app, { path: '/api/touch/it', kind: 'lost', times: 1 })
    const faulty = await post({}, { app })
    await expect(faulty.text()).rejects.toThrow()
    expect(done).toBe(1)
  })

  test('can be a delayed response', async () => {
    const app = appOf()
    await fault(app, { path: '/api/*', kind: 'slow', delayMs: 60 })
    const began = performance.now()
    expect((await post({}, { app })).status).toBe(200)
    expect(performance.now() - began).toBeGreaterThan(55)
  })

  test('with the same seed affect the same requests', async () => {
    const statusesFor = async (seed: number) => {
      const app = appOf()
      await fault(app, { path: '/api/*', kind: 'status', status: 503, share: 0.5, seed })
      const statuses: number[] = []
      for (let at = 0; at < 20; at++) statuses.push((await post({}, { app })).status)
      return statuses.join()
    }
    expect(await statusesFor(7)).toBe(await statusesFor(7))
    expect(await statusesFor(7)).toMatch(/200.*503|503.*200/)
    expect(await statusesFor(7)).not.toBe(await statusesFor(8))
  })

  test('are listed with their counts, and can be cleared one by one or all together', async () => {
    const app = appOf()
    const one = await fault(app, { path: '/api/touch/*', method: 'POST', kind: 'status', status: 503 })
    await fault(app, { path: '/health', kind: 'status', status: 500 })
    await post({}, { app })
    const list = async () => (await (await app.request('/sandbox/fault')).json()).faults
    expect(await list()).toMatchObject([{ faultId: one.body.faultId, triggered: 1 }, { triggered: 0 }])
    const clear = (body: object) => post({}, { app, path: '/sandbox/fault/clear', body })
    expect((await clear({ faultId: one.body.faultId })).status).toBe(200)
    expect((await clear({ faultId: one.body.faultId })).status).toBe(404)
    expect(await list()).toHaveLength(1)
    await clear({})
    expect(await list()).toEqual([])
  })

  test.each([
    [{ path: '/sandbox/fault', kind: 'lost' }],
    [{ path: '/api/*', kind: 'slow' }],
    [{ path: '/api/*', kind: 'status', status: 200 }],
    [{ path: '/api/*', kind: 'lost', delayMs: 5 }],
    [{ path: '/api/*', kind: 'lost', share: 0 }],
    [{ path: '/api/*', kind: 'nonsense' }],
  ])('are rejected with the invalid body %j', async (body) => {
    expect(await fault(appOf(), body)).toMatchObject({ status: 400 })
  })
})

describe('routes under /sandbox', () => {
  const from = (remoteAddress: string, app = appOf()) =>
    app.request('/sandbox/log', {}, { incoming: { socket: { remoteAddress } } })

  test('respond to this machine only', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.5.5.5'])
      expect((await from(address)).status).toBe(200)
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1'])
      expect((await from(address)).status).toBe(403)
  })

  test('reject requests that a proxy or tunnel on this machine forwards', async () => {
    const through = async (forwarded: string) =>
      (await appOf().request('/sandbox/log', { headers: { 'x-forwarded-for': forwarded } })).status
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await through(own)).toBe(200)
    for (const other of ['203.0.113.9', '127.0.0.1, 203.0.113.9', '203.0.113.9, 127.0.0.1', 'unknown'])
      expect(await through(other)).toBe(403)
  })

  test('do not exist if disabled', async () => {
    expect((await from('127.0.0.1', appOf({ sandboxControls: undefined }))).status).toBe(404)
  })

  test('list the latest requests first', async () => {
    const app = appOf()
    await post({}, { app })
    await app.request('/nowhere')
    const { requests } = await (await app.request('/sandbox/log?limit=2')).json()
    expect(requests).toMatchObject([
      { route: null, status: 404 },
      { route: '/api/touch/:what', status: 200 },
    ])
    expect((await app.request('/sandbox/log?limit=0')).status).toBe(400)
  })
})
