import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import vectors from '../../../../../test/vectors/checkout-calls.json' with { type: 'json' }
import { headerNames } from '../../../../redeemkit/core/headerNames.ts'
import { type TestShop, testShop } from '../../payments/payments.fixture.ts'
import type { testCards } from './cards.ts'

/** Calls recorded from other programs, against a sandbox that imitates a deployed service with their header names. */
let shop: TestShop
const prefix = 'x-acme-'
const values: Record<string, string> = {}
let session: Record<string, string>

beforeAll(async () => {
  shop = await testShop()
  shop.service.headers = headerNames(prefix)
  shop.service.kind = 'randomNonce'
  const { body } = await shop.get('/api/auth/session-key', { ...shop.merchant(), ...user })
  session = { [`${prefix}auth-session-key`]: body.key }
})
afterAll(() => shop?.close())

const user = { [`${prefix}auth-user-id`]: 'u-1' }
type Call = (typeof vectors.calls)[number] & { user?: boolean; card?: keyof typeof testCards; body?: object }

// In order: each call uses the response of the one before.
test.each(vectors.calls as Call[])('$name', async (call) => {
  values.cardToken = await shop.tokenOf(call.card ?? 'approved')
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const headers = { ...(call.credentials === 'key' ? shop.merchant() : session), ...(call.user && user) }
  const path = filled(call.path)
  const { status, body } =
    call.method === 'GET'
      ? await shop.get(path, headers)
      : await shop.post(path, JSON.parse(filled(JSON.stringify(call.body))), headers)
  expect({ status, body }).toMatchObject({ status: call.status })
  for (const place of call.reads)
    expect(
      place.split('.').reduce((at, name) => at?.[name], body),
      place,
    ).toBeDefined()
  if (body.paymentId !== undefined) values.paymentId = body.paymentId
  if (body[0]?.token !== undefined) values.savedToken = body[0].token
})

test('a session key contains its merchant', async () => {
  const { body } = await shop.get('/api/auth/session-key', { ...shop.merchant(), ...user })
  expect(decodeJwt(body.key)).toMatchObject({ merchantId: 'shop', userId: 'u-1' })
})

test('an answered challenge only needs its transactionId', async () => {
  const purchase = { subtotal: { cents: 2500 }, saveCard: true }
  const body = { ...purchase, card: { cardToken: await shop.tokenOf('challenge') } }
  const asked = (await shop.post('/api/checkout/card/shop', body, session)).body
  expect(asked.creq).toBe('')
  await shop.post(new URL(asked.url).pathname, { answer: 'approve' })
  const { transactionId } = asked
  const done = await shop.post(
    '/api/checkout/card/shop',
    { ...body, authentication3DS: { transactionId } },
    session,
  )
  expect(done).toMatchObject({ status: 200, body: { paymentId: expect.any(String), status: 'settled' } })
})

test('a card that was declined is not saved', async () => {
  const mallory = { ...shop.merchant(), [`${prefix}auth-user-id`]: 'mallory' }
  const { body } = await shop.get('/api/auth/session-key', mallory)
  const key = { [`${prefix}auth-session-key`]: body.key }
  const card = { cardToken: await shop.tokenOf('declined') }
  await shop.post('/api/checkout/card/shop', { subtotal: { cents: 100 }, card, saveCard: true }, key)
  expect((await shop.get('/api/customer/cards/shop', key)).body).toEqual([])
})
