import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxScreen } from '../../src/sandbox/cli/sandboxScreen.ts'
import { type RunningSandbox, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { type Caller, caller } from './sandboxClient.ts'

/** Several merchants at one service, as set by the options. */
let sandbox: RunningSandbox
let service: Caller

beforeAll(async () => {
  sandbox = await startSandbox({
    bridge: false,
    settings: withoutProtection,
    merchants: [
      { merchantId: 'cafe', settings: { ...withoutProtection, maximumCents: 500 } },
      {
        merchantId: 'bar',
        settings: withoutProtection,
        creditSeed: 'bar-credits',
        apiKey: 'sk_bar_0123456789',
      },
    ],
  })
  service = caller(sandbox.app)
})
afterAll(() => sandbox?.stop())

const keyOf = (merchantId: string) => {
  const authorization = sandbox.merchants.find((one) => one.merchantId === merchantId)?.apiKey ?? ''
  return { authorization }
}
async function buy(merchantId: string, cents: number) {
  const user = { 'x-svc-auth-user-id': 'alice' }
  const session = await service.get('/api/auth/session-key', { ...keyOf(merchantId), ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { body } = await service.post('/api/tokenize', card, keyOf(merchantId))
  return service.post(
    `/api/checkout/card/${merchantId}`,
    { subtotal: { cents }, card: { cardToken: body.token } },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
}

test('each merchant is listed with its keys, in order', () => {
  const { merchantId, creditSeed, apiKey, jwtSecret } = sandbox
  expect(sandbox.merchants).toMatchObject([
    { merchantId, creditSeed, apiKey, jwtSecret },
    { merchantId: 'cafe', creditSeed: 'cafe', apiKey: expect.stringMatching(/^sk_sandbox_/) },
    { merchantId: 'bar', creditSeed: 'bar-credits', apiKey: 'sk_bar_0123456789' },
  ])
})

test('the command prints the merchants', () => {
  const screen = sandboxScreen(sandbox)
  for (const { merchantId, creditSeed, apiKey, jwtSecret } of sandbox.merchants)
    for (const value of [merchantId, creditSeed, apiKey, jwtSecret]) expect(screen).toContain(value)
})

test('each merchant sells with its own settings', async () => {
  expect((await buy('cafe', 500)).body.status).toBe('settled')
  expect((await buy('cafe', 501)).status).toBe(400)
  expect((await buy('bar', 501)).body.status).toBe('settled')
})

test("no merchant sees another merchant's sales", async () => {
  const { body } = await buy('cafe', 100)
  const path = `/api/merchant/payments/${body.paymentId}`
  expect((await service.get(path, keyOf('cafe'))).status).toBe(200)
  expect((await service.get(path, keyOf('bar'))).status).toBe(404)
})

test('test accounts have credits at each merchant', async () => {
  const headers = {
    'x-svc-auth-wallet': sandbox.accounts.alice.address,
    'x-svc-auth-blockchain': 'base',
  }
  const credits = async (seed: string) =>
    (await service.get(`/api/customer/balances/${seed}`, headers)).body.credits.cents
  expect(await Promise.all(['cafe', 'bar-credits'].map(credits))).toEqual([100_000, 100_000])
  await sandbox.mintCredits({ wallet: sandbox.accounts.alice.address, cents: 5, creditSeed: 'cafe' })
  expect(await Promise.all(['cafe', 'bar-credits'].map(credits))).toEqual([100_005, 100_000])
})

test.each([
  [[{ merchantId: 'sandbox-shop' }], /same merchant id/],
  [[{ merchantId: 'cafe ' }], /merchant id "cafe " starts or ends with white space/],
  [[{ merchantId: 'ca\u200bfe' }], /contains the invisible character U\+200B/],
  [[{ merchantId: 'cafe\u0301' }], /is not in Unicode normalization form NFC/],
  [[{ merchantId: 'a', creditSeed: 'b' }, { merchantId: 'b' }], /same credit seed/],
  [
    [
      { merchantId: 'a', creditSeed: 'b' },
      { merchantId: 'b', creditSeed: 'a' },
    ],
    /another merchant’s id/,
  ],
  [[null], /merchants\.merchantId is undefined/],
  [
    [
      { merchantId: 'a', apiKey: 'k' },
      { merchantId: 'b', apiKey: 'k' },
    ],
    /used twice/,
  ],
  [{ merchantId: 'a' }, /merchants/],
])('%j is refused before anything starts', async (merchants, text) => {
  // untyped callers can pass this
  await expect(startSandbox({ merchants, bridge: false } as object)).rejects.toThrow(text)
})
