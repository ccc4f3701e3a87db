import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc721Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  knownTokenIdMerchantAbi,
  knownTokenIdMerchantBytecode,
  normalMerchantAbi,
  normalMerchantBytecode,
  returnedMerchantAbi,
  returnedMerchantBytecode,
  safeMintMerchant721Abi,
  safeMintMerchant721Bytecode,
} from '../../contracts/generated/merchants.ts'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import type { PaymentTerms } from '../../src/redeemkit/checkout/paymentIntent.ts'
import { signPaymentUsdc } from '../../src/redeemkit/checkout/signPaymentUsdc.ts'
import { signUsdcAuthorization } from '../../src/redeemkit/evm/usdcAuthorization/signUsdcAuthorization.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import { devAccount } from '../../src/sandbox/devAccounts.ts'
import { type RunningSandbox, type SandboxChain, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { anvil, type Caller, caller, customer, readCredits, readUsdc } from './sandboxClient.ts'

let sandbox: RunningSandbox
let service: Caller
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let key: { authorization: string }

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, settings: withoutProtection })
  service = caller(sandbox.app)
  base = sandbox.chains.base as SandboxChain // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  key = { authorization: sandbox.apiKey }
})
afterAll(() => sandbox?.stop())

const amount = 10_000_000n
const subtotal = { cents: 1000, currency: 'USD' }

/** Buys by card as alice. */
async function checkout(carried: object, wallet: Hex = sandbox.accounts.alice.address) {
  const user = { 'x-svc-auth-user-id': 'alice', ...customer(wallet) }
  const session = await service.get('/api/auth/session-key', { ...key, ...user })
  const tokenized = await service.post(
    '/api/tokenize',
    { ...testCards.approved, expMonth: '12', expYear: '2039' },
    key,
  )
  return service.post(
    `/api/checkout/card/${sandbox.merchantId}`,
    { subtotal, card: { cardToken: tokenized.body.token }, ...carried },
    { ...user, 'x-svc-auth-session-key': session.body.key },
  )
}

/** Buys by card as alice, and waits for the payment's final state. */
async function buy(carried: object, wallet?: Hex) {
  const bought = await checkout(carried, wallet)
  if (bought.status !== 200) return bought.body
  await expect
    .poll(async () => (await paymentOf(bought.body.paymentId)).status, { timeout: 15_000 })
    .not.toBe('authorized')
  return paymentOf(bought.body.paymentId)
}

const paymentOf = async (paymentId: string) =>
  (await service.get(`/api/merchant/payments/${paymentId}`, key)).body

const settled = { status: 'settled', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) }

const usdcOf = (wallet: Hex) => readUsdc(base, wallet)
const creditsOf = (wallet: Hex) => readCredits(base, sandbox.creditSeed, wallet)
const ownerOf = (to: Hex, id: bigint) =>
  chain.client.readContract({ address: to, abi: erc721Abi, functionName: 'ownerOf', args: [id] })
const nobody = () => privateKeyToAccount(generatePrivateKey()).address

describe('a settled payment executes transactionData', () => {
  test('token: pays the destination', async () => {
    const destination = nobody()
    expect(await buy({ transactionData: { type: 'token', destination } })).toMatchObject(settled)
    expect(await usdcOf(destination)).toBe(amount)
  })

  test("normal: the rest becomes the customer's credits", async () => {
    const { alice } = sandbox.accounts
    const to = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    const before = await creditsOf(alice.address)
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [alice.address, amount - 1_500_000n],
    })
    expect(await buy({ transactionData: { transaction: { to, data } } })).toMatchObject(settled)
    expect(await usdcOf(to)).toBe(amount - 1_500_000n)
    expect((await creditsOf(alice.address)) - before).toBe(1_500_000n)
  })

  test('safeMint: the customer owns the tokens', async () => {
    const to = await chain.deploy(safeMintMerchant721Abi, safeMintMerchant721Bytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    const data = encodeFunctionData({
      abi: safeMintMerchant721Abi,
      functionName: 'mint',
      args: [2n, amount],
    })
    expect(await buy({ transactionData: { type: 'safeMint', transaction: { to, data } } })).toMatchObject(
      settled,
    )
    for (const id of [1n, 2n]) expect(await ownerOf(to, id)).toBe(sandbox.accounts.alice.address)
  })

  test('returned: the customer owns the returned token', async () => {
    const to = await chain.deploy(returnedMerchantAbi, returnedMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    const data = encodeFunctionData({ abi: returnedMerchantAbi, functionName: 'mint', args: [amount] })
    expect(await buy({ transactionData: { type: 'returned', transaction: { to, data } } })).toMatchObject(
      settled,
    )
    expect(await ownerOf(to, 1n)).toBe(sandbox.accounts.alice.address)
  })

  test('known token id: the customer owns that token', async () => {
    const to = await chain.deploy(knownTokenIdMerchantAbi, knownTokenIdMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    await chain.call(to, knownTokenIdMerchantAbi, 'list', [42n, amount])
    const data = encodeFunctionData({ abi: knownTokenIdMerchantAbi, functionName: 'buy', args: [42n] })
    const transactionData: TransactionData = { transaction: { to, data }, nftContract: to, nftId: '42' }
    expect(await buy({ transactionData })).toMatchObject(settled)
    expect(await ownerOf(to, 42n)).toBe(sandbox.accounts.alice.address)
  })

  test('a failing call fails the payment, and no money moves', async () => {
    const to = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    const before = await usdcOf(base.operator)
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [nobody(), amount + 1n],
    })
    const payment = await buy({ transactionData: { transaction: { to, data } } })
    expect(payment).toMatchObject({ status: 'failed', error: expect.stringContaining('exceeds allowance') })
    expect(await usdcOf(base.operator)).toBe(before)
  })
})

describe('settlementType', () => {
  test('Credits: the customer gets credits that the service paid for', async () => {
    const wallet = nobody()
    expect(await buy({ settlementType: 'Credits' }, wallet)).toMatchObject(settled)
    expect(await creditsOf(wallet)).toBe(amount)
  })

  test('USDC stays in the merchant’s wallet at the service, without a transaction', async () => {
    const payment = await buy({ settlementType: 'USDC' })
    expect(payment.status).toBe('settled')
    expect(payment.hash).toBeUndefined()
  })
})

describe('the customer’s USDC', () => {
  const { cents } = subtotal
  const destination = nobody()
  const transactionData = { type: 'token', destination } as const
  const pinned = () => ({
    chainId: base.chainId,
    creditSeed: sandbox.creditSeed,
    settlementContract: base.paymentSettlement,
    settlementOperator: base.operator,
  })
  const client = () =>
    createPaymentsClient({
      baseUrl: 'http://service.test',
      merchantId: sandbox.merchantId,
      blockchain: 'base',
      environment: 'sandbox',
      wallet: sandbox.accounts.alice.address,
      fetch: async (input, init) =>
        sandbox.app.request(String(input).replace('http://service.test', ''), init),
    })
  /** Signs, as alice, 4 of 10 dollars with redeemkit. Returns the fields of the checkout's body. */
  const sign = (payment: Omit<PaymentTerms, 'subtotal'>, options: Partial<signPaymentUsdc.Options> = {}) =>
    signPaymentUsdc(client(), sandbox.accounts.alice.account, {
      amount: { cents: 400 },
      payment: { subtotal: { cents }, ...payment },
      pinned: pinned(),
      ...options,
    })

  test.each(['V1', 'V2'] as const)('is collected as a part of the subtotal: %s', async (version) => {
    const { alice } = sandbox.accounts
    const had = await usdcOf(destination)
    const before = { alice: await usdcOf(alice.address), operator: await usdcOf(base.operator) }
    const signed = await sign({ transactionData }, version === 'V1' ? { publicClient: chain.client } : {})
    expect(Object.keys(signed)[0]).toBe(
      version === 'V1' ? 'customerUsdcTransferData' : 'customerUsdcTransferDataV2',
    )
    expect(await buy({ transactionData, ...signed })).toMatchObject(settled)
    expect((await usdcOf(destination)) - had).toBe(amount)
    expect(before.alice - (await usdcOf(alice.address))).toBe(4_000_000n)
    expect(before.operator - (await usdcOf(base.operator))).toBe(6_000_000n)
  })

  test('goes to the service when the merchant’s proceeds stay there', async () => {
    const before = await usdcOf(base.operator)
    expect(await buy(await sign({}))).toMatchObject(settled)
    expect((await usdcOf(base.operator)) - before).toBe(4_000_000n)
  })

  test('pays for credits', async () => {
    const { alice } = sandbox.accounts
    const before = await creditsOf(alice.address)
    const terms = { settlementType: 'Credits' } as const
    expect(await buy({ ...terms, ...(await sign(terms)) })).toMatchObject(settled)
    expect((await creditsOf(alice.address)) - before).toBe(amount)
  })

  test('pays for an order once: a second payment is refused before any money moves', async () => {
    const purchaseId = randomUUID()
    expect(
      await buy({ transactionData, ...(await sign({ transactionData }, { purchaseId })) }),
    ).toMatchObject(settled)
    const { alice } = sandbox.accounts
    const before = await usdcOf(alice.address)
    const again = await checkout({ transactionData, ...(await sign({ transactionData }, { purchaseId })) })
    expect(again).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION', issues: ['orderKey'] },
    })
    expect(await usdcOf(alice.address)).toBe(before)
  })

  test('two concurrent payments of an order: one collects the USDC, the other fails and executes nothing', async () => {
    const { alice } = sandbox.accounts
    const purchaseId = randomUUID()
    const before = { alice: await usdcOf(alice.address), shop: await usdcOf(destination) }
    const signed = await Promise.all([1, 2].map(() => sign({ transactionData }, { purchaseId })))
    const payments = await Promise.all(signed.map((one) => buy({ transactionData, ...one })))
    expect(payments.map(({ status }) => status).sort()).toEqual(['failed', 'settled'])
    expect(before.alice - (await usdcOf(alice.address))).toBe(4_000_000n)
    expect((await usdcOf(destination)) - before.shop).toBe(amount)
  })

  test.each([
    ['another payee', { transactionData: { type: 'token', destination: nobody() } }],
    ['credits', { settlementType: 'Credits' }],
    ['the merchant’s wallet', {}],
    ['another price', { transactionData, subtotal: { cents: 999, currency: 'USD' } }],
  ])('signed for one payment, it does not pay for %s', async (_, carried) => {
    const { alice } = sandbox.accounts
    const before = await usdcOf(alice.address)
    const answer = await checkout({ ...carried, ...(await sign({ transactionData })) })
    expect(answer).toMatchObject({
      status: 412,
      body: { code: 'INVALID_USDC_AUTHORIZATION', issues: ['customerUsdcTransferDataV2.nonce'] },
    })
    expect(await usdcOf(alice.address)).toBe(before)
  })

  test.each(['orderKey', 'salt'] as const)('without its %s it is refused', async (name) => {
    const { [name]: _, ...signed } = await sign({ transactionData })
    const answer = await checkout({ transactionData, ...signed })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', issues: [name] } })
  })

  test('with an order key or salt that does not match its nonce, it is refused', async () => {
    const signed = await sign({ transactionData })
    for (const change of [{ orderKey: `0x${'ab'.repeat(12)}` }, { salt: `0x${'ab'.repeat(32)}` }])
      expect(await checkout({ transactionData, ...signed, ...change })).toMatchObject({
        status: 412,
        body: { issues: ['customerUsdcTransferDataV2.nonce'] },
      })
    expect(await checkout({ transactionData, ...signed, orderKey: `0x${'7b'.repeat(12)}` })).toMatchObject({
      status: 400,
      body: { issues: ['orderKey'] },
    })
  })

  test('authorized as a transfer, which anyone could execute, makes the payment fail', async () => {
    const { customerUsdcTransferDataV2: asked, ...order } = await sign({ transactionData })
    const { signature: _, ...record } = asked as NonNullable<typeof asked> // No node was passed.
    const authorization = {
      ...record,
      value: BigInt(record.value),
      validAfter: BigInt(record.validAfter),
      validBefore: BigInt(record.validBefore),
    }
    const signature = await signUsdcAuthorization(sandbox.accounts.alice.account, {
      chainId: base.chainId,
      type: 'TransferWithAuthorization',
      authorization,
    })
    const before = await usdcOf(sandbox.accounts.alice.address)
    expect(
      await buy({ transactionData, customerUsdcTransferDataV2: { ...record, signature }, ...order }),
    ).toMatchObject({ status: 'failed', error: expect.stringContaining('this wallet did not sign it') })
    expect(await usdcOf(sandbox.accounts.alice.address)).toBe(before)
  })

  test('a payment that fails leaves the authorization unused, and the order unpaid', async () => {
    const { alice } = sandbox.accounts
    const purchaseId = randomUUID()
    const to = await chain.deploy(normalMerchantAbi, normalMerchantBytecode, [base.usdc])
    await sandbox.whitelist({ target: to })
    const data = encodeFunctionData({
      abi: normalMerchantAbi,
      functionName: 'buy',
      args: [nobody(), amount + 1n],
    })
    const fails = { transactionData: { transaction: { to, data } } }
    const before = await usdcOf(alice.address)
    expect(await buy({ ...fails, ...(await sign(fails, { purchaseId })) })).toMatchObject({
      status: 'failed',
    })
    expect(await usdcOf(alice.address)).toBe(before)
    expect(
      await buy({ transactionData, ...(await sign({ transactionData }, { purchaseId })) }),
    ).toMatchObject(settled)
  })

  test.each([
    ['none', {}],
    ['a nonce with a clear highest bit', { nonce: `0x7f${'00'.repeat(31)}` }],
  ])('is requested with the nonce of a payment, and not with %s', async (_, nonce) => {
    const answer = await service.post(
      '/api/checkout/evm/usdc-authorization',
      { amount: { cents: 400 }, ...nonce },
      customer(sandbox.accounts.alice.address),
    )
    expect(answer).toMatchObject({ status: 400, body: { issues: ['nonce'] } })
  })
})

test('a payment that was journalled when the service stopped is settled once by the next service', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'settlement-'))
  const merchants = [{ merchantId: sandbox.merchantId, apiKey: sandbox.apiKey, settings: withoutProtection }]
  const chains = [
    {
      blockchain: 'base',
      rpcUrl: base.rpcUrl,
      creditsContract: base.creditsContract,
      paymentSettlement: base.paymentSettlement,
      operatorKey: devAccount('operator').privateKey,
    },
  ] as const
  let stopped: Promise<void> | undefined
  const first = createSandbox({
    dataDir,
    merchants,
    chains,
    probe: (step, { reference }) => {
      if (step !== 'journalled' || reference.kind !== 'payment') return
      stopped = first.stop()
      throw new Error('The process ends here.')
    },
  })
  const before = service
  const second = createSandbox({ dataDir, merchants, chains })
  try {
    service = caller(first.app)
    const destination = nobody()
    const { body } = await checkout({ transactionData: { type: 'token', destination } })
    expect(body.status).toBe('authorized')
    await expect.poll(() => stopped !== undefined, { timeout: 15_000 }).toBe(true)
    await stopped
    expect(await usdcOf(destination)).toBe(0n)
    service = caller(second.app)
    await second.start()
    const status = async () => (await paymentOf(body.paymentId)).status
    await expect.poll(status, { timeout: 15_000 }).toBe('settled')
    expect(await paymentOf(body.paymentId)).toMatchObject(settled)
    expect(await usdcOf(destination)).toBe(amount)
  } finally {
    service = before
    await second.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('each period of a subscription executes its plan’s settlement', async () => {
  const destination = nobody()
  const headers = { 'x-svc-auth-user-id': 'alice', ...customer(sandbox.accounts.alice.address) }
  const session = await service.get('/api/auth/session-key', { ...key, ...headers })
  const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { token } = (await service.post('/api/tokenize', card, key)).body
  const plan = { code: 'gold', name: 'Gold', interval: 'Daily', amount: subtotal, active: true }
  const transaction = JSON.stringify({ type: 'token', destination })
  const made = { ...plan, settlementChain: 'base', transaction }
  expect(await service.post('/sandbox/subscription/plans', made, key)).toMatchObject({ status: 200 })
  const bought = await service.post(
    `/api/subscription/${sandbox.merchantId}/subscribers/token`,
    { planCode: 'gold', token },
    { ...headers, 'x-svc-auth-session-key': session.body.key },
  )
  expect(bought).toMatchObject({ status: 200 })
  await expect.poll(() => usdcOf(destination), { timeout: 15_000 }).toBe(amount)
  await service.post('/sandbox/clock', { advanceSeconds: 86_400 }, key)
  await expect.poll(() => usdcOf(destination), { timeout: 15_000 }).toBe(2n * amount)
})
