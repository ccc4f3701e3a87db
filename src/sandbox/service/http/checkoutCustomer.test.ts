import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authRoutes } from '../auth/authRoutes.ts'
import { testKeys, testService } from '../service.fixture.ts'
import type { Service } from '../service.ts'
import { checkoutCustomer } from './checkoutCustomer.ts'
import { createApp } from './createApp.ts'
import { checkCredentials, customerWallet } from './customer.ts'
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

/** The helper's result over HTTP. */
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

describe('at a service with random nonces, the session key alone identifies the customer', () => {
  const other = (): Service => ({ ...fixture.service, kind: 'randomNonce' })

  test('the user, also where PROTOCOL.md 2.1 requires the wallet', async () => {
    const key = await sessionKey(user('u-1'))
    const needs = ['wallet', 'userId'] as const
    expect(await ask(session(key), { needs }, other())).toMatchObject({
      status: 200,
      body: { userId: 'u-1' },
    })
    expect((await ask(session(key), { needs })).status).toBe(400)
  })

  test('the wallet of a call without checkout', async () => {
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
    // A key without a wallet names none, and headers that are sent must be complete and fit.
    expect((await read(other(), session(await sessionKey(user('u-1'))))).status).toBe(400)
    expect((await read(other(), { ...session(key), 'x-svc-auth-wallet': wallet })).status).toBe(400)
    expect((await read(other(), { ...session(key), ...onBase(stranger) })).status).toBe(403)
    expect((await read(other(), session('wrong'))).status).toBe(401)
    fixture.setTime(start + day)
    expect((await read(other(), session(key))).status).toBe(401)
  })
})

describe('a redeem with a session key', () => {
  const ask = async (headers: Record<string, string>, merchantId?: string) => {
    const handle: Route['handle'] = async (service, context) => {
      await checkCredentials(service, context, { merchantId })
      return {}
    }
    const app = createApp(fixture.service, [{ method: 'GET', path: '/redeem', handle }])
    return (await app.request('/redeem', { headers })).status
  }

  test('is refused when the key has expired, belongs to another merchant, user or wallet', async () => {
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

  test('needs no key, unless the service requires a sign-in', async () => {
    expect(await ask(onBase(), 'shop')).toBe(200)
    const { settings } = fixture.service
    fixture.service.settings = { ...settings, requireSignIn: true }
    expect(await ask(onBase(), 'shop')).toBe(401)
    fixture.service.settings = settings
  })
})

test('a customer without a chain is identified by any text', async () => {
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

describe('a key does not work for', () => {
  test('another merchant', async () => {
    const key = await sessionKey(user('u-1'), 'other')
    expect(await ask(session(key))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await ask(session(key), { merchantId: 'nobody' })).toMatchObject({ status: 403 })
  })

  test('another user', async () => {
    const key = await sessionKey(user('u-1'))
    expect(await ask({ ...session(key), ...user('u-2') })).toMatchObject({ status: 403 })
  })

  test('a user, if the key only has a wallet', async () => {
    const key = await sessionKey(onBase())
    expect(await ask({ ...session(key), ...user('u-1') })).toMatchObject({ status: 403 })
  })

  test('another wallet, and the same one on another chain', async () => {
    const key = await sessionKey({ ...user('u-1'), ...onBase() })
    expect(await ask({ ...session(key), ...onBase(stranger) })).toMatchObject({ status: 403 })
    const onEth = { 'x-svc-auth-wallet': wallet, 'x-svc-auth-blockchain': 'eth' }
    expect(await ask({ ...session(key), ...onEth })).toMatchObject({ status: 403 })
  })
})

test('a key expires after exactly 24 hours', async () => {
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
] as const)('%s is refused', async (_, headers, needs, status) => {
  expect((await ask(headers, { needs })).status).toBe(status)
})

test('a required API key must be the same merchant’s', async () => {
  const key = await sessionKey(user('u-1'))
  const needs = ['apiKey'] as const
  expect((await ask(session(key), { needs })).status).toBe(401)
  expect((await ask({ ...session(key), authorization: testKeys.other }, { needs })).status).toBe(403)
  expect((await ask({ ...session(key), authorization: testKeys.shop }, { needs })).status).toBe(200)
})
