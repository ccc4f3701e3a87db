import { encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decentMerchantAbi, decentMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { parseRecord, webhookEvent } from '../../src/redeemkit/schema/index.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { type RunningSandbox, type SandboxChain, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { anvil, type Caller, caller, customer, readUsdc } from './sandboxClient.ts'

let sandbox: RunningSandbox
let service: Caller
let base: SandboxChain
let arbitrum: SandboxChain
let key: { authorization: string }

beforeAll(async () => {
  sandbox = await startSandbox({ settings: withoutProtection })
  service = caller(sandbox.app)
  ;({ base, arbitrum } = sandbox.chains as Required<typeof sandbox.chains>) // the sandbox starts both by default
  key = { authorization: sandbox.apiKey }
})
afterAll(() => sandbox?.stop())

const nobody = () => privateKeyToAccount(generatePrivateKey()).address
const usdcOf = (wallet: Hex) => readUsdc(base, wallet)

/** Buys by card, so that the merchant has proceeds. */
async function earn(cents: number): Promise<string> {
  const user = { 'x-svc-auth-user-id': 'alice' }
  const session = await service.get('/api/auth/session-key', { ...key, ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { body } = await service.post('/api/tokenize', card, key)
  const bought = await service.post(
    `/api/checkout/card/${sandbox.merchantId}`,
    { subtotal: { cents, currency: 'USD' }, card: { cardToken: body.token } },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
  expect(bought).toMatchObject({ status: 200, body: { status: 'settled' } })
  return bought.body.paymentId
}

describe('POST /api/seller/usdc-withdraw', () => {
  const withdraw = (cents: number, destination: string, more: object = {}) =>
    service.post('/api/seller/usdc-withdraw', { destination, amount: { cents, ...more } }, key)

  test('pays out the proceeds of settled payments, and not a cent more', async () => {
    const destination = nobody()
    await earn(1500)
    expect(await withdraw(1501, destination)).toMatchObject({
      status: 412,
      body: { code: 'INSUFFICIENT_FUNDS', details: { availableCents: 1500 } },
    })
    const { status, body } = await withdraw(1500, destination)
    expect(status).toBe(200)
    const receipt = await waitForReceipt(anvil(base.rpcUrl).client, body.transaction)
    expect(receipt.status).toBe('success')
    expect(await usdcOf(destination)).toBe(15_000_000n)
    expect((await withdraw(1, destination)).body.details).toEqual({ availableCents: 0 })
  })

  test('two withdrawals at the same time do not exceed the balance', async () => {
    const destination = nobody()
    await earn(1000)
    const answers = await Promise.all([1, 2, 3, 4].map(() => withdraw(1000, destination)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
    await expect.poll(() => usdcOf(destination)).toBe(10_000_000n)
  })

  test('a refunded payment no longer counts', async () => {
    const paymentId = await earn(1000)
    const refund = { partialAmount: { cents: 400 } }
    expect((await service.post(`/api/merchant/payments/${paymentId}/refund`, refund, key)).status).toBe(200)
    const left = (await withdraw(1000, nobody())).body.details.availableCents
    expect(left).toBeGreaterThanOrEqual(600)
    expect(left).toBeLessThan(1000)
  })

  test.each([
    ['another currency', { currency: 'EUR' }],
    ['nothing', { cents: 0 }],
  ])('refuses %s', async (_, more) => {
    expect(await withdraw(1, nobody(), more)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    })
  })

  test.each([['0x1'], ['0x0000000000000000000000000000000000000000']])(
    'refuses destination %s',
    async (to) => {
      expect((await withdraw(1, to)).status).toBe(400)
    },
  )

  test('pays once for the same idempotency key, even concurrently', async () => {
    const destination = nobody()
    await earn(500)
    const body = { destination, amount: { cents: 500, currency: 'USD' }, idempotencyKey: 'payday' }
    const ask = () => service.post('/api/seller/usdc-withdraw', body, key)
    const [one, two] = await Promise.all([ask(), ask()])
    const { body: again } = await ask()
    expect([one?.body, two?.body]).toEqual([again, again])
    await expect.poll(() => usdcOf(destination)).toBe(5_000_000n)
    expect((await ask()).body).toEqual(again)
    const other = { ...body, amount: { cents: 400 } }
    expect((await service.post('/api/seller/usdc-withdraw', other, key)).body.code).toBe('AMBIGUOUS_INTENT')
    expect(await usdcOf(destination)).toBe(5_000_000n)
  })

  test('is reported to the merchant as in the schema', async () => {
    await earn(100)
    const destination = nobody()
    const { body } = await withdraw(100, destination)
    const read = async () => {
      const { events } = (await service.get('/sandbox/webhooks/events?type=withdrawal.*', key)).body
      return events.filter(({ data }: { data: object }) => JSON.stringify(data).includes(destination))
    }
    await expect.poll(async () => (await read()).length).toBe(2)
    const [completed, pending] = await read()
    expect([pending.type, completed.type]).toEqual(['withdrawal.pending', 'withdrawal.completed'])
    expect(completed.data.transaction).toBe(body.transaction)
    for (const { id, type, createdAt, data } of [pending, completed])
      expect(() => parseRecord(webhookEvent, { id, type, createdAt, data })).not.toThrow()
  })
})

describe('POST /api/merchant/credits/burn', () => {
  const job = async (jobId: string) => (await service.get(`/api/merchant/credits/status/${jobId}`, key)).body
  const done = async (jobId: string) => {
    await expect.poll(async () => (await job(jobId)).status, { timeout: 10_000 }).not.toBe('pending')
    return job(jobId)
  }

  test('pays the USDC behind the credits to the wallet that holds them, once per idempotency key', async () => {
    const wallet = nobody()
    const body = { wallet, blockchain: 'base', amount: { cents: 500 }, idempotencyKey: 'one' }
    const minted = await service.post('/api/merchant/credits/mint', body, key)
    expect(await done(minted.body.jobId)).toMatchObject({ status: 'completed' })
    const first = await service.post('/api/merchant/credits/burn', body, key)
    expect(await done(first.body.jobId)).toEqual({
      status: 'completed',
      value: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect((await service.post('/api/merchant/credits/burn', body, key)).body).toEqual(first.body)
    expect(await usdcOf(wallet)).toBe(5_000_000n)
    expect(
      (await service.post('/api/merchant/credits/burn', { ...body, amount: { cents: 1 } }, key)).body.code,
    ).toBe('AMBIGUOUS_INTENT')
  })

  test('fails with a reason for more than the balance', async () => {
    const body = { wallet: nobody(), blockchain: 'base', amount: { cents: 1 } }
    const { body: answer } = await service.post('/api/merchant/credits/burn', body, key)
    expect(await done(answer.jobId)).toEqual({
      status: 'failed',
      error: expect.stringContaining('The burn would fail: InsufficientCredits'),
    })
  })
})

test('a payment by card executes a decent call on the other chain', async () => {
  const far = anvil(arbitrum.rpcUrl)
  const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
  await sandbox.whitelist({ target: to, chainId: arbitrum.chainId })
  const { alice, carol } = sandbox.accounts
  const contractData = encodeFunctionData({
    abi: decentMerchantAbi,
    functionName: 'buy',
    args: [carol.address, 1_000_000n],
  })
  const user = { 'x-svc-auth-user-id': 'alice', ...customer(alice.address) }
  const session = await service.get('/api/auth/session-key', { ...key, ...user })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { body } = await service.post('/api/tokenize', card, key)
  const bought = await service.post(
    `/api/checkout/card/${sandbox.merchantId}`,
    {
      subtotal: { cents: 100, currency: 'USD' },
      card: { cardToken: body.token },
      transactionData: {
        type: 'decent',
        dstChainId: arbitrum.chainId,
        dstToken: arbitrum.usdc,
        contractAddress: to,
        contractData,
        cost: { isNative: false, amount: '1000000' },
      },
    },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
  expect(bought.status).toBe(200)
  await expect
    .poll(
      () =>
        far.client.readContract({
          address: to,
          abi: decentMerchantAbi,
          functionName: 'paidFor',
          args: [carol.address],
        }),
      { timeout: 15_000 },
    )
    .toBe(1_000_000n)
})
