import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '@solana/web3.js'
import { rpc } from '@stellar/stellar-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type RunningSandbox, startSandbox } from '../../src/sandbox/index.ts'
import {
  type Caller,
  caller,
  customer,
  publicClient,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/** There is one clock: advancing the service's clock affects permits, sessions and every local chain. The tests depend on each other. */
let sandbox: RunningSandbox
let service: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ blockchains: ['base', 'solana', 'stellar'] })
  service = caller(sandbox.app)
})
afterAll(() => sandbox?.stop())

const hour = 3600
const clockPath = '/sandbox/clock'
const advance = async (advanceSeconds: number) => {
  const { status, body } = await service.post(clockPath, { advanceSeconds })
  expect(status).toBe(200)
  return Date.parse(body.now) / 1000
}
const blockTime = async (rpcUrl = '') => Number((await publicClient(rpcUrl).getBlock()).timestamp)
const payment = () => signedPayment(service, sandbox)
const submit = (body: object) =>
  service.post(sendGaslessTxPath, body, customer(sandbox.accounts.alice.address))

test('the clock returns the time of the service and of each chain, including bridge destinations', async () => {
  const { body } = await service.get(clockPath)
  expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(5000)
  expect(body.movedSeconds).toBe(0)
  const ids = Object.values(sandbox.chains).map(({ chainId }) => chainId)
  expect(body.chains.map(({ chainId }: { chainId: number }) => chainId).sort()).toEqual(ids.sort())
})

describe('an hour later', () => {
  test('a permit has expired at the service and on the chain', async () => {
    const body = await payment()
    const before = Date.parse((await service.get(clockPath)).body.now) / 1000
    await advance(hour)
    expect(await submit(body)).toMatchObject({ status: 412, body: { code: 'PERMIT_EXPIRED' } })
    for (const chain of Object.values(sandbox.chains))
      expect(await blockTime(chain.rpcUrl)).toBeGreaterThanOrEqual(Math.floor(before + hour))
    expect(Number(body.validBefore)).toBeLessThan(await blockTime(sandbox.chains.base?.rpcUrl))
  })

  test('a new permit is valid at the new time', async () => {
    const body = await payment()
    expect(Number(body.validBefore) * 1000).toBeGreaterThan(Date.now() + hour * 1000)
    expect((await submit(body)).status).toBe(200)
  })

  test('Solana and Stellar follow', async () => {
    const { solana, stellar } = sandbox
    const connection = new Connection(solana?.rpcUrl ?? '', 'confirmed')
    const before = await connection.getBlockHeight()
    const server = new rpc.Server(stellar?.rpcUrl ?? '', { allowHttp: true })
    const ledger = (await server.getLatestLedger()).sequence
    await advance(hour)
    // A Solana slot lasts 400 ms, and a Stellar ledger 5 s.
    expect((await connection.getBlockHeight()) - before).toBeGreaterThanOrEqual(9000)
    expect((await server.getLatestLedger()).sequence - ledger).toBeGreaterThanOrEqual(720)
  })
})

test('a day later a session key and a sign-in have expired', async () => {
  const { body } = await service.get('/api/auth/session-key', {
    authorization: sandbox.apiKey,
    'x-svc-auth-user-id': 'u-1',
  })
  const wallet = customer(sandbox.accounts.alice.address)
  const { message } = (await service.get('/api/auth', wallet)).body
  const signed = await sandbox.accounts.alice.account.signMessage({ message })
  const verify = async () =>
    (await service.get('/api/auth/verify', { ...wallet, 'x-svc-auth-signed-message': signed })).status
  const balance = async () =>
    (
      await service.get(`/api/customer/balances/${sandbox.merchantId}`, {
        ...wallet,
        'x-svc-auth-session-key': body.key,
      })
    ).status
  expect([await verify(), await balance()]).toEqual([200, 200])
  await advance(24 * hour)
  expect([await verify(), await balance()]).toEqual([401, 401])
})

test('the clock can be set to a time, but never back', async () => {
  const { body } = await service.get(clockPath)
  const later = new Date(Date.parse(body.now) + 10 * hour * 1000).toISOString()
  const set = await service.post(clockPath, { now: later })
  expect(Math.abs(Date.parse(set.body.now) - Date.parse(later))).toBeLessThan(5000)
  expect(await service.post(clockPath, { now: body.now })).toMatchObject({
    status: 400,
    body: { issues: ['now'] },
  })
  for (const wrong of [
    {},
    { advanceSeconds: -1 },
    { advanceSeconds: 0.5 },
    { now: 'soon' },
    { now: later, advanceSeconds: 1 },
  ])
    expect((await service.post(clockPath, wrong)).status).toBe(400)
})

test('a restarted service keeps its clock', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-clock-'))
  const start = () =>
    createSandbox({ chains: [], merchants: [{ merchantId: 'shop', apiKey: 'key' }], dataDir })
  const first = start()
  await first.start()
  await caller(first.app).post(clockPath, { advanceSeconds: 5 * hour })
  await first.stop()
  const second = start()
  await second.start()
  expect((await caller(second.app).get(clockPath)).body.movedSeconds).toBe(5 * hour)
  await second.stop()
  await rm(dataDir, { recursive: true })
})

test.each([{ environment: 'prod' as const }, { sandboxControls: false }])(
  '%j is refused',
  async (options) => {
    const other = createSandbox({
      chains: [],
      merchants: [{ merchantId: 'shop', apiKey: 'key' }],
      ...options,
    })
    const asked = caller(other.app)
    expect((await asked.get(clockPath)).status).toBe(404)
    expect((await asked.post('/sandbox/program', {}, { authorization: 'key' })).status).toBe(404)
    // A customer call under the same path.
    expect((await asked.post('/sandbox/usdc-transfer', {})).status).toBe(400)
    await other.stop()
  },
)
