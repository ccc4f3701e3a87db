import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import { connectEvmChain } from '../chains/connectEvmChain.ts'
import { testCards } from './checkout/cards.ts'
import { createApp } from './http/createApp.ts'
import type { Route } from './http/route.ts'
import { goodUntil } from './payments/payments.fixture.ts'
import { routes } from './routes.ts'
import { testKeys, testService } from './service.fixture.ts'

/*
 * Sends invalid data with valid credentials to every route of `routes.ts`. The response must be an error of `wireErrors`, never a 500, and
 * must not contain a stack or a library's message.
 */
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const amount = { cents: 100 }
const subtotal = { cents: 100 }
const free = { a: { b: ['c'] } }

/** Bodies that reach the database. The test replaces each of their fields. */
const samples: Record<string, object> = {
  'POST /api/checkout/jwt-token': { subtotal, webhookInfo: free },
  'POST /api/redeem/evm/creditsAuthMsg': {
    merchantId: 'shop',
    subtotal,
    transactionData: { type: 'token', destination: wallet },
  },
  'POST /api/tokenize': { ...testCards.approved, ...goodUntil },
  'POST /api/checkout/wire/token': { merchantId: 'shop', subtotal, token: 'none', jwtToken: 'a.b.c' },
  'POST /api/checkout/pix': { merchantId: 'shop', subtotal, email: 'a@example.org', webhookInfo: free },
  'POST /sandbox/wire-accounts': { routingNumber: '021000021', accountNumber: '123456789' },
  'POST /sandbox/evidence-files': { name: 'a', content: 'aGVsbG8=' },
  'POST /api/merchant/credits/mint': { wallet, blockchain: 'base', amount, idempotencyKey: 'one' },
  'POST /api/merchant/credits/burn': { wallet, blockchain: 'base', amount, idempotencyKey: 'one' },
  'POST /api/merchant/program': { blockchain: 'base', programId: wallet, selector: '0x12345678' },
  'POST /api/seller/usdc-withdraw': { destination: wallet, amount, idempotencyKey: 'one' },
  'POST /sandbox/subscription/plans': {
    code: 'plan',
    name: 'plan',
    interval: 'Daily',
    amount: { cents: 1, currency: 'USD' },
    description: 'one',
  },
  'POST /api/subscription/:merchantId/subscribers/token': { planCode: 'p', token: 't', webhookInfo: free },
  'POST /sandbox/webhooks': { url: 'https://x.test', secret: '12345678' },
  'POST /sandbox/webhooks/listen': { name: 'one' },
  'POST /sandbox/webhooks/resend': { id: 'none' },
  'POST /sandbox/webhooks/trigger': { type: 'credits.minted', data: { jobId: 'one' } },
  'POST /sandbox/webhooks/done': { listenerId: 'one', deliveryId: 'one', attempt: 1, error: 'one' },
  'POST /api/withdraw/kyc/validate': { firstName: 'A', lastName: 'B', dob: '1990-01-01', matchThreshold: 50 },
  'POST /sandbox/kyc-records': { userId: 'u-9', firstName: 'A', lastName: 'B', dob: '1990-01-01' },
  'POST /api/withdraw/iban': { number: 'DE89370400440532013000', bic: 'COBADEFF', alias: 'one' },
  'POST /api/withdraw/kyb': {
    merchantId: 'shop',
    info: {
      name: 'n',
      tin: '123456789',
      website: 'w',
      business: { country: 'US', zip: '1', state: 'NY', city: 'c', address1: 'a' },
      person: { email: 'a@example.org', lastName: 'l', firstName: 'f' },
    },
    additionalWallets: [{ blockchain: 'base', wallet }],
    redirectLink: 'https://x.test',
  },
  'POST /sandbox/customer-place': { userId: 'u', country: 'US', state: 'NY' },
  'POST /sandbox/withdrawal-rules': { blockedPlaces: ['US-NY'] },
  'POST /sandbox/fault': { path: '/health', kind: 'status', status: 503, share: 0.5, seed: 1 },
  'POST /sandbox/clock': { advanceSeconds: 0 },
}

const bytes = (...values: number[]) => new Uint8Array(values)
/** Bodies that match no schema. */
const bodies: readonly [name: string, body: string | Uint8Array<ArrayBuffer>][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '-0'],
  ['a text', '"x"'],
  ['an array', '[{}]'],
  ['a deep array', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a deep object', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  ['NaN', '{"a":NaN}'],
  ['a name twice', '{"a":1,"a":2}'],
  ['bytes that are not UTF-8', bytes(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
  ['an overlong NUL', bytes(0x22, 0xc0, 0x80, 0x22)],
  ['a byte order mark', '\ufeff{}'],
  ['an infinite number', '{"a":1e999}'],
  ['400 digits', '9'.repeat(400)],
  ['__proto__', '{"__proto__":{"a":1}}'],
  ['a constructor', '{"constructor":{"prototype":{"x":1}}}'],
  ['an open object', '{"a":'],
  ['a value followed by a comma', '{},'],
  ['a NUL', '\0'],
  ['a name with a NUL', '{"\\u0000":1}'],
  ['a name with half a character', '{"\\ud800":1}'],
  ['a megabyte', 'x'.repeat(300_000)],
  ['many names', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at])))],
  ['many quotes', '"'.repeat(100_001)],
  ['many backslashes', `"${'\\'.repeat(100_000)}`],
]

/** Replacements for a field, as JSON texts. */
const values: readonly [name: string, json: string][] = [
  ['null', 'null'],
  ['a NUL', '"a\\u0000b"'],
  ['half a character', '"a\\ud800b"'],
  // A text that cannot be compressed, so an index would store all of it.
  ['a long text', JSON.stringify(randomBytes(9000).toString('base64'))],
  ['a deep array', `${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['__proto__', '{"__proto__":{"toString":1},"toString":2,"toJSON":3}'],
  ['an object in an array', '[{}]'],
  ['a huge number', '1e308'],
  ['the last year', '"+275760-09-13T00:00:00.000Z"'],
]

/** Replacements for an id in a path. */
const pathParts = [
  ['a NUL', '%00'],
  ['bytes that are not UTF-8', '%ff'],
  ['a percent sign', '%'],
  ['two points', '%2e%2e'],
  ['__proto__', '__proto__'],
  ['a long text', 'x'.repeat(5000)],
] as const

/** Copies of a body, each with one field replaced, at any depth. */
function replaced(body: unknown, json: string): string[] {
  if (typeof body !== 'object' || body === null) return []
  const entries = Object.entries(body).map(([name, value]) => ({ name: JSON.stringify(name), value }))
  const written = (at: number, text: string) => {
    const parts = entries.map(({ name, value }, index) => {
      const part = index === at ? text : JSON.stringify(value)
      return Array.isArray(body) ? part : `${name}:${part}`
    })
    return Array.isArray(body) ? `[${parts}]` : `{${parts}}`
  }
  return entries.flatMap(({ value }, at) => [json, ...replaced(value, json)].map((text) => written(at, text)))
}

onEachDatabase(({ name, create }) => {
  let fixture: Awaited<ReturnType<typeof testService>>
  let app: ReturnType<typeof createApp>
  let headers: Record<string, string>
  beforeAll(async () => {
    fixture = await testService(await create())
    const chain = connectEvmChain(
      {
        blockchain: 'base',
        rpcUrl: 'http://127.0.0.1:1',
        creditsContract: wallet,
        operatorKey: `0x${'11'.repeat(32)}`,
      },
      'sandbox',
    )
    fixture.service.chains = new Map([['base', { ...chain, usdc: wallet }]])
    app = createApp(fixture.service, routes)
    const credentials = { authorization: testKeys.shop, 'x-svc-auth-user-id': 'u-1' }
    const session = await app.request('/api/auth/session-key', { headers: credentials })
    headers = {
      ...credentials,
      'x-svc-auth-session-key': (await session.json()).key,
      'x-svc-auth-wallet': wallet,
      'x-svc-auth-blockchain': 'base',
      'x-svc-auth-merchant-id': 'shop',
      'content-type': 'application/json',
    }
  })
  afterAll(() => fixture?.close())

  /** @returns the response's text if it is a 500 or reveals internals; undefined otherwise */
  async function faultOf(route: Route, { body, part = 'shop' }: { body?: BodyInit; part?: string }) {
    const path = route.path.replace(/:\w+/g, part)
    const init = route.method === 'POST' ? { body: body ?? '{}' } : {}
    const answer = await app.request(path, { method: route.method, headers, ...init })
    const text = await answer.text()
    return answer.status === 500 || /\n\s+at |node_modules|\.ts:\d/.test(text) ? text : undefined
  }
  const nameOf = ({ method, path }: Route) => `${method} ${path}`
  const takers = routes.filter(({ method }) => method === 'POST')

  // These bodies do not reach the database, so one database suffices.
  test.each(name === 'PGlite' ? bodies : [])('no route fails for a body that is %s', async (_, body) => {
    for (const route of takers)
      expect([nameOf(route), await faultOf(route, { body })]).toEqual([nameOf(route), undefined])
  })

  test.each(values)('no route fails for %s instead of each field', async (_, json) => {
    for (const route of takers)
      for (const body of replaced(samples[nameOf(route)], json))
        expect([nameOf(route), await faultOf(route, { body })]).toEqual([nameOf(route), undefined])
  })

  describe('no route fails if each id in its path is', () => {
    test.each(pathParts)('%s', async (_, part) => {
      for (const route of routes.filter(({ path }) => path.includes(':')))
        expect([nameOf(route), await faultOf(route, { part })]).toEqual([nameOf(route), undefined])
    })
  })
})
