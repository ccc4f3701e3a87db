import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authRoutes } from '../auth/authRoutes.ts'
import { testKeys, testService } from '../service.fixture.ts'
import { checkoutCustomer } from './checkoutCustomer.ts'
import { createApp } from './createApp.ts'
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
async function ask(headers: Record<string, string>, options: Partial<checkoutCustomer.Options> = {}) {
  const route: Route = {
    method: 'GET',
    path: '/who',
    handle: (service, context) => checkoutCustomer(service, context, { merchantId: 'shop', ...options }),
  }
  const response = await createApp(fixture.service, [route]).request('/who', { headers })
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
