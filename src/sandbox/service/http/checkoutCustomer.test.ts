import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { ChainConnectionError, nodeTransport } from '../../chains/anvil/connectPipe.ts'
import { setMerchants, type WantedKey } from '../../store/setMerchants.ts'
import { authRoutes } from '../auth/authRoutes.ts'
import { testKeys, testService } from '../service.fixture.ts'
import type { Service } from '../service.ts'
import { checkoutCustomer } from './checkoutCustomer.ts'
import { createApp } from './createApp.ts'
import { checkCredentials, customerWallet } from './customer.ts'
import { authorizedMerchant, mayUse } from './merchant.ts'
import { describeError, problem, withoutCardNumbers } from './problem.ts'
import type { Route } from './route.ts'

let fixture: Awaited<ReturnType<typeof testService>>
const start = Date.parse('2026-05-01T12:00:00Z')
const day = 24 * 60 * 60_000
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const stranger = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const onBase = (address = wallet) => ({ 'x-svc-auth-wallet': address, 'x-svc-auth-blockchain': 'base' })
const user = (id: string) => ({ 'x-svc-auth-user-id': id })
const session = (key: string) => ({ 'x-svc-auth-session-key': key })

beforeAll(async () => {
  fixture = await testService()
})
beforeEach(() => fixture.setTime(start))
afterAll(() => fixture?.close())

/** Calls `checkoutCustomer` in a route, and returns its result over HTTP. */
async function ask(
  headers: Record<string, string>,
  options: Partial<checkoutCustomer.Options> = {},
  service = fixture.service,
) {
  const route: Route = {
    method: 'GET',
    path: '/who',
    handle: (service, context) => checkoutCustomer(service, context, { merchantId: 'shop', ...options }),
  }
  const response = await createApp(service, [route]).request('/who', { headers })
  return { status: response.status, body: await response.json() }
}

async function sessionKey(headers: Record<string, string>, merchant: keyof typeof testKeys = 'shop') {
  const response = await createApp(fixture.service, authRoutes).request('/api/auth/session-key', {
    headers: { authorization: testKeys[merchant], ...headers },
  })
  return (await response.json()).key as string
}

test('the session key identifies the customer', async () => {
  const key = await sessionKey({ ...user('u-1'), ...onBase() })
  expect(await ask(session(key))).toEqual({
    status: 200,
    body: {
      merchant: expect.objectContaining({ merchantId: 'shop' }),
      userId: 'u-1',
      wallet,
      blockchain: 'base',
    },
  })
})

describe('on a service with random nonces, the session key alone identifies', () => {
  const other = (): Service => ({ ...fixture.service, kind: 'randomNonce' })

  test('the user, even where PROTOCOL.md 2.1 requires the wallet', async () => {
    const key = await sessionKey(user('u-1'))
    const needs = ['wallet', 'userId'] as const
    expect(await ask(session(key), { needs }, other())).toMatchObject({
      status: 200,
      body: { userId: 'u-1' },
    })
    expect((await ask(session(key), { needs })).status).toBe(400)
  })

  test('the wallet, in calls that are not checkouts', async () => {
    const read = async (service: Service, headers: Record<string, string>) => {
      const handle: Route['handle'] = async (...call) => {
        await checkCredentials(...call)
        return customerWallet(...call)
      }
      const app = createApp(service, [{ method: 'GET', path: '/wallet', handle }])
      const response = await app.request('/wallet', { headers })
      return { status: response.status, body: await response.json() }
    }
    const key = await sessionKey({ ...user('u-1'), ...onBase() })
    expect(await read(other(), session(key))).toEqual({ status: 200, body: { wallet, blockchain: 'base' } })
    expect((await read(fixture.service, session(key))).status).toBe(400)
    // A key without a wallet is not enough, and wallet headers that are sent must be complete and match the key.
    expect((await read(other(), session(await sessionKey(user('u-1'))))).status).toBe(400)
    expect((await read(other(), { ...session(key), 'x-svc-auth-wallet': wallet })).status).toBe(400)
    expect((await read(other(), { ...session(key), ...onBase(stranger) })).status).toBe(403)
    expect((await read(other(), session('wrong'))).status).toBe(401)
    fixture.setTime(start + day)
    expect((await read(other(), session(key))).status).toBe(401)
  })
})

describe('a redeem', () => {
  const ask = async (headers: Record<string, string>, merchantId?: string) => {
    const handle: Route['handle'] = async (service, context) => {
      await checkCredentials(service, context, { merchantId })
      return {}
    }
    const app = createApp(fixture.service, [{ method: 'GET', path: '/redeem', handle }])
    return (await app.request('/redeem', { headers })).status
  }

  test('is rejected if its session key has expired or belongs to another merchant, user or wallet', async () => {
    const key = session(await sessionKey({ ...user('u-1'), ...onBase() }))
    const headers = { ...key, ...user('u-1'), ...onBase() }
    expect(await ask(headers, 'shop')).toBe(200)
    expect(await ask(headers)).toBe(200)
    expect(await ask(headers, 'other')).toBe(403)
    expect(await ask({ ...headers, ...user('u-2') }, 'shop')).toBe(403)
    expect(await ask({ ...headers, ...onBase(stranger) }, 'shop')).toBe(403)
    fixture.setTime(start + day - 1)
    expect(await ask(headers, 'shop')).toBe(200)
    fixture.setTime(start + day)
    expect(await ask(headers, 'shop')).toBe(401)
  })

  test('needs no session key unless the service requires sign-in', async () => {
    expect(await ask(onBase(), 'shop')).toBe(200)
    const { settings } = fixture.service
    fixture.service.settings = { ...settings, requireSignIn: true }
    expect(await ask(onBase(), 'shop')).toBe(401)
    fixture.service.settings = settings
  })
})

test('a customer without a chain can be identified by any text', async () => {
  const named = (name: string) => ({ 'x-svc-auth-wallet': name, 'x-svc-auth-blockchain': 'user' })
  const key = await sessionKey(named('member-7'))
  expect(await ask({ ...session(key), ...named('member-7') }, { needs: ['wallet'] })).toMatchObject({
    status: 200,
    body: { wallet: 'member-7', blockchain: 'user' },
  })
  expect((await ask({ ...session(key), ...named('member-8') })).status).toBe(403)
  expect((await ask({ ...session(key), ...named('mëmber') })).status).toBe(400)
  expect((await ask({ ...session(key), 'x-svc-auth-blockchain': 'user' })).status).toBe(400)
})

test('a user’s key works with any wallet', async () => {
  const key = await sessionKey(user('u-1'))
  expect(await ask({ ...session(key), ...onBase(stranger) })).toMatchObject({
    status: 200,
    body: { userId: 'u-1', wallet: stranger },
  })
})

describe('a session key does not work for', () => {
  test('another merchant', async () => {
    const key = await sessionKey(user('u-1'), 'other')
    expect(await ask(session(key))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await ask(session(key), { merchantId: 'nobody' })).toMatchObject({ status: 403 })
  })

  test('another user', async () => {
    const key = await sessionKey(user('u-1'))
    expect(await ask({ ...session(key), ...user('u-2') })).toMatchObject({ status: 403 })
  })

  test('a user, if the key names only a wallet', async () => {
    const key = await sessionKey(onBase())
    expect(await ask({ ...session(key), ...user('u-1') })).toMatchObject({ status: 403 })
  })

  test('another wallet, or the same wallet on another chain', async () => {
    const key = await sessionKey({ ...user('u-1'), ...onBase() })
    expect(await ask({ ...session(key), ...onBase(stranger) })).toMatchObject({ status: 403 })
    const onEth = { 'x-svc-auth-wallet': wallet, 'x-svc-auth-blockchain': 'eth' }
    expect(await ask({ ...session(key), ...onEth })).toMatchObject({ status: 403 })
  })
})

test('a session key expires after exactly 24 hours', async () => {
  const key = await sessionKey(user('u-1'))
  fixture.setTime(start + day - 1)
  expect((await ask(session(key))).status).toBe(200)
  fixture.setTime(start + day)
  expect(await ask(session(key))).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
})

test.each([
  ['no session key', {}, [], 401],
  ['an unknown session key', session('wrong'), [], 401],
  ['no wallet', session('wrong'), ['wallet'], 400],
  ['a wallet without its chain', { ...session('wrong'), 'x-svc-auth-wallet': wallet }, [], 400],
  ['no user id', session('wrong'), ['userId'], 400],
  ['an empty user id', { ...session('wrong'), ...user('') }, [], 400],
  ['a blank user id', { ...session('wrong'), ...user('\u00a0') }, [], 400],
] as const)('rejects %s', async (_, headers, needs, status) => {
  expect((await ask(headers, { needs })).status).toBe(status)
})

test('a required API key must belong to the same merchant', async () => {
  const key = await sessionKey(user('u-1'))
  const needs = ['apiKey'] as const
  expect((await ask(session(key), { needs })).status).toBe(401)
  expect((await ask({ ...session(key), authorization: testKeys.other }, { needs })).status).toBe(403)
  expect((await ask({ ...session(key), authorization: testKeys.shop }, { needs })).status).toBe(200)
})

describe('errors', () => {
  const shown = (text: string) =>
    describeError(withoutCardNumbers(problem('VERIFICATION_REQUIRED', text, { details: { text } })))

  // Each text contains, by chance, digits that form a valid card number.
  test.each([
    'http://127.0.0.1:4242/sandbox/verifications/ver_58408933-0659-431d-819f-11aa8fb637db',
    'There is no payment "pay_58408933-0659-431d-819f-11aa8fb637db".',
    `0xab4111111111111111${'c'.repeat(46)}`,
    `0x4111111111111111${'c'.repeat(24)}`,
    // An order key.
    `0x4111111111111111${'c'.repeat(8)}`,
    // The beginning of a contract's Error(string).
    `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
  ])('keep their text: %s', (text) => {
    expect(shown(text)).toMatchObject({ message: text, details: { text } })
  })

  test.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    'ver_4111111111111111',
    '0x4111111111111111',
    'aa4111111111111111bb',
    '58408933-0659-431',
  ])('do not contain the card number of %s', (text) => {
    const { message, details } = shown(text)
    expect(message).toContain('[card number]')
    expect(JSON.stringify({ message, details })).not.toMatch(/1111|8933/)
  })

  test('do not contain a card number deep in the details', () => {
    const details = { findings: [{ message: 'it says 4111111111111111' }] }
    expect(describeError(withoutCardNumbers(problem('SIMULATION_FAILED', 'no', { details })))).toMatchObject({
      details: { findings: [{ message: 'it says [card number]' }] },
    })
  })

  const gone = new ChainConnectionError('The chain has ended.')
  const endedNode = nodeTransport({ ask: () => Promise.reject(gone) })
  /** Anvil 1.7.1's response if the origin of its fork does not respond. */
  const stalledFork = nodeTransport({
    ask: async () =>
      '"error":{"code":-32603,"message":"failed to get account for 0x00000000000000000000000000000000000000AA: error sending request for url (<fork url>/); operation timed out"}}',
  })
  /** Anvil 1.7.1's response if the origin returns a 502 or a page. */
  const failedFork = (why: string) =>
    nodeTransport({
      ask: async () =>
        `"error":{"code":-32603,"message":"failed to get storage for 0x00000000000000000000000000000000000000AA at 1: ${why}"}}`,
    })
  /** No server listens on port 0. */
  const nothing = http('http://127.0.0.1:0', { retryCount: 0 })

  test.each([
    ['a local chain that has ended', endedNode],
    ['a fork whose origin does not respond', stalledFork],
    ['a fork whose origin fails', failedFork('HTTP error 502 with body: Bad Gateway')],
    ['a fork whose origin is a page', failedFork('deserialization error: expected value at line 1 column 1')],
    ['a node that cannot be reached', nothing],
  ])('report %s as unavailable', async (_, transport) => {
    const error: unknown = await createPublicClient({ transport })
      .getBlockNumber()
      .catch((cause) => cause)
    expect(describeError(error)).toEqual({
      code: 'UNAVAILABLE',
      message: 'The blockchain node is currently unavailable.',
    })
  })

  test.each([gone, new ChainReadError('The node did not respond.')])('are UNAVAILABLE for %s', (error) => {
    expect(describeError(error).code).toBe('UNAVAILABLE')
  })

  test('reveal nothing about an unexpected error', () => {
    expect(describeError(new Error('key 0xabc'))).toEqual({
      code: 'INTERNAL',
      message: 'Internal error. Find it in the log by the request id.',
    })
  })
})

describe('API keys', () => {
  let fixture: Awaited<ReturnType<typeof testService>>
  const keys: WantedKey[] = [
    { key: 'first' },
    { key: 'second' },
    { key: 'taken away', disabled: true },
    { key: 'reads', scope: 'viewer' },
    { key: 'at home', ips: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] },
  ]

  beforeAll(async () => {
    fixture = await testService()
    const database = await fixture.service.database()
    await database.transaction((work) =>
      setMerchants(work, [{ merchantId: 'shop', creditSeed: 'shop', keys }]),
    )
  })
  afterAll(() => fixture?.close())

  async function ask(authorization: string, { method = 'GET', from = '' } = {}) {
    const routes = (['GET', 'POST'] as const).map((one) => ({
      method: one,
      path: '/api/merchant/thing' as const,
      handle: authorizedMerchant,
    }))
    const env = from === '' ? {} : { incoming: { socket: { remoteAddress: from } } }
    const init = { method, headers: { authorization } }
    return (await createApp(fixture.service, routes).request('/api/merchant/thing', init, env)).status
  }

  test('a merchant can have several keys', async () => {
    expect([await ask('first'), await ask('Bearer second')]).toEqual([200, 200])
  })

  test('a disabled key is rejected like an unknown key', async () => {
    expect([await ask('taken away'), await ask('nonsense')]).toEqual([401, 401])
  })

  test('a key works only from its listed addresses, not from an unknown address', async () => {
    for (const from of ['127.0.0.1', '::ffff:127.0.0.1', '10.9.8.7', 'fd00::5'])
      expect(await ask('at home', { from }), from).toBe(200)
    for (const from of ['127.0.0.2', '11.0.0.1', 'fe80::5', ''])
      expect(await ask('at home', { from }), from).toBe(403)
  })

  test('a read-only key cannot change anything', async () => {
    expect([await ask('reads'), await ask('reads', { method: 'POST' })]).toEqual([200, 403])
  })

  test.each([
    ['viewer', 'GET', '/api/auth/session-key', false],
    ['pos_device', 'GET', '/api/auth/session-key', true],
    ['pos_device', 'POST', '/api/checkout/jwt-token', true],
    ['pos_device', 'GET', '/api/merchant/payments/1', false],
    ['seller', 'POST', '/api/seller/usdc-withdraw', true],
    ['seller', 'POST', '/api/merchant/credits/mint', false],
    ['chargeback', 'POST', '/api/merchant/chargebacks/1/respond', true],
    ['chargeback_analyst', 'POST', '/api/merchant/chargebacks/1/respond', false],
    ['editor', 'POST', '/api/merchant/credits/mint', true],
  ] as const)('%s: %s %s is %s', (scope, method, path, allowed) => {
    expect(mayUse(scope, { method, path })).toBe(allowed)
  })

  test('the database does not contain the keys', async () => {
    const database = await fixture.service.database()
    const rows = await database.execute('select * from api_keys')
    for (const { key } of keys) expect(JSON.stringify(rows)).not.toContain(`"${key}"`)
  })
})
