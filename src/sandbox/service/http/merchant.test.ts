import { afterAll, beforeAll, expect, test } from 'vitest'
import { setMerchants, type WantedKey } from '../../store/setMerchants.ts'
import { testService } from '../service.fixture.ts'
import { createApp } from './createApp.ts'
import { authorizedMerchant, mayUse } from './merchant.ts'

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
  await database.transaction((work) => setMerchants(work, [{ merchantId: 'shop', creditSeed: 'shop', keys }]))
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

test('a disabled key is refused like an unknown one', async () => {
  expect([await ask('taken away'), await ask('nonsense')]).toEqual([401, 401])
})

test('a key only works from its addresses, and not from an unknown one', async () => {
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
