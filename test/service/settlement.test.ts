import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, erc721Abi, type Hex, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import {
  knownTokenIdMerchantAbi,
  knownTokenIdMerchantBytecode,
} from '../../contracts/generated/KnownTokenIdMerchant.ts'
import { mockUsdcAbi } from '../../contracts/generated/MockUsdc.ts'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/NormalMerchant.ts'
import { returnedMerchantAbi, returnedMerchantBytecode } from '../../contracts/generated/ReturnedMerchant.ts'
import {
  safeMintMerchant721Abi,
  safeMintMerchant721Bytecode,
} from '../../contracts/generated/SafeMintMerchant721.ts'
import { createSandbox } from '../../src/sandbox/createSandbox.ts'
import { devAccount } from '../../src/sandbox/devAccounts.ts'
import { type RunningSandbox, type SandboxChain, startSandbox, testCards } from '../../src/sandbox/index.ts'
import type { TransactionData } from '../../src/schema/index.ts'
import { anvil, type Caller, caller, customer } from './sandboxClient.ts'

let sandbox: RunningSandbox
let service: Caller
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let key: { authorization: string }

beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false })
  service = caller(sandbox.app)
  base = sandbox.chains.base as SandboxChain // started by default
  chain = anvil(base.rpcUrl)
  key = { authorization: sandbox.apiKey }
})
afterAll(() => sandbox?.stop())

const amount = 10_000_000n
const subtotal = { cents: 1000, currency: 'USD' }

/** Buys by card as alice. */
async function checkout(carried: object, wallet: Hex = sandbox.people.alice.address) {
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

/** Buys by card as alice, and waits until the payment is where it ends. */
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

const usdcOf = (wallet: Hex) =>
  chain.client.readContract({ address: base.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
const creditsOf = (wallet: Hex) =>
  chain.client.readContract({
    address: base.creditsContract,
    abi: creditsAbi,
    functionName: 'creditsOf',
    args: [sandbox.creditSeed, wallet],
  })
const ownerOf = (to: Hex, id: bigint) =>
  chain.client.readContract({ address: to, abi: erc721Abi, functionName: 'ownerOf', args: [id] })
const nobody = () => privateKeyToAccount(generatePrivateKey()).address

describe('a settled payment executes transactionData', () => {
  test('token', async () => {
    const destination = nobody()
    expect(await buy({ transactionData: { type: 'token', destination } })).toMatchObject(settled)
    expect(await usdcOf(destination)).toBe(amount)
  })

  test('normal: what the call leaves becomes credits of the customer', async () => {
    const { alice } = sandbox.people
    const to = await chain.deploy({
      abi: normalMerchantAbi,
      bytecode: normalMerchantBytecode,
      args: [base.usdc],
    })
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

  test('safeMint: the tokens are the customer’s', async () => {
    const to = await chain.deploy({
      abi: safeMintMerchant721Abi,
      bytecode: safeMintMerchant721Bytecode,
      args: [base.usdc],
    })
    await sandbox.whitelist({ target: to })
    const data = encodeFunctionData({
      abi: safeMintMerchant721Abi,
      functionName: 'mint',
      args: [2n, amount],
    })
    expect(await buy({ transactionData: { type: 'safeMint', transaction: { to, data } } })).toMatchObject(
      settled,
    )
    for (const id of [1n, 2n]) expect(await ownerOf(to, id)).toBe(sandbox.people.alice.address)
  })

  test('returned', async () => {
    const to = await chain.deploy({
      abi: returnedMerchantAbi,
      bytecode: returnedMerchantBytecode,
      args: [base.usdc],
    })
    await sandbox.whitelist({ target: to })
    const data = encodeFunctionData({ abi: returnedMerchantAbi, functionName: 'mint', args: [amount] })
    expect(await buy({ transactionData: { type: 'returned', transaction: { to, data } } })).toMatchObject(
      settled,
    )
    expect(await ownerOf(to, 1n)).toBe(sandbox.people.alice.address)
  })

  test('known token id', async () => {
    const to = await chain.deploy({
      abi: knownTokenIdMerchantAbi,
      bytecode: knownTokenIdMerchantBytecode,
      args: [base.usdc],
    })
    await sandbox.whitelist({ target: to })
    await chain.call(to, knownTokenIdMerchantAbi, 'list', [42n, amount])
    const data = encodeFunctionData({ abi: knownTokenIdMerchantAbi, functionName: 'buy', args: [42n] })
    const transactionData: TransactionData = { transaction: { to, data }, nftContract: to, nftId: '42' }
    expect(await buy({ transactionData })).toMatchObject(settled)
    expect(await ownerOf(to, 42n)).toBe(sandbox.people.alice.address)
  })

  test('a call that fails fails the payment, and nothing has moved', async () => {
    const to = await chain.deploy({
      abi: normalMerchantAbi,
      bytecode: normalMerchantBytecode,
      args: [base.usdc],
    })
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
  test('Credits: of the customer, paid by the service', async () => {
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
  type Version = 'V1' | 'V2'
  /** As the service asks for it, signed. */
  async function authorization(cents: number, version: Version) {
    const { alice } = sandbox.people
    const { body } = await service.post(
      '/api/checkout/evm/usdc-authorization',
      { amount: { cents } },
      customer(alice.address),
    )
    const { types, message, ...rest } = JSON.parse(body.message)
    const { EIP712Domain: _, ...own } = types
    const signature = await alice.account.signTypedData({ ...rest, types: own, message })
    const { messageData } = body
    if (version === 'V2') return { customerUsdcTransferDataV2: { ...messageData, signature } }
    const { r, s, v } = parseSignature(signature)
    return { customerUsdcTransferData: { ...messageData, v: Number(v), r, s } }
  }

  test.each(['V1', 'V2'] as const)('is collected as a part of the subtotal: %s', async (version) => {
    const { alice } = sandbox.people
    const destination = nobody()
    const before = { alice: await usdcOf(alice.address), operator: await usdcOf(base.operator) }
    const carried = {
      transactionData: { type: 'token', destination },
      ...(await authorization(400, version)),
    }
    expect(await buy(carried)).toMatchObject(settled)
    expect(await usdcOf(destination)).toBe(amount)
    expect(before.alice - (await usdcOf(alice.address))).toBe(4_000_000n)
    expect(before.operator - (await usdcOf(base.operator))).toBe(6_000_000n)
  })

  test('goes to the service when the merchant’s proceeds stay there', async () => {
    const before = await usdcOf(base.operator)
    expect(await buy(await authorization(400, 'V2'))).toMatchObject(settled)
    expect((await usdcOf(base.operator)) - before).toBe(4_000_000n)
  })

  test('used twice, it fails the second payment, which executes nothing', async () => {
    const paid = await authorization(400, 'V2')
    expect(await buy(paid)).toMatchObject(settled)
    const destination = nobody()
    const payment = await buy({ transactionData: { type: 'token', destination }, ...paid })
    expect(payment).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('authorization is used or canceled'),
    })
    expect(await usdcOf(destination)).toBe(0n)
  })

  /** A transfer of 4 USDC that alice has signed, and a stranger has sent to the token. */
  async function landedByStranger() {
    const { alice } = sandbox.people
    const nonce: Hex = `0x${randomUUID().replaceAll('-', '').padStart(64, '0')}`
    const message = {
      from: alice.address,
      to: base.paymentSettlement,
      value: 4_000_000n,
      validAfter: 0n,
      validBefore: 3_000_000_000n,
      nonce,
    } as const
    const signature = await alice.account.signTypedData({
      domain: { name: 'USDC', version: '2', chainId: base.chainId, verifyingContract: base.usdc },
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'validAfter', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message,
    })
    const { from, to, value, validAfter, validBefore } = message
    await chain.send({
      to: base.usdc,
      data: encodeFunctionData({
        abi: mockUsdcAbi,
        functionName: 'transferWithAuthorization',
        args: [from, to, value, validAfter, validBefore, nonce, signature],
      }),
    })
    return { from, to, nonce, value: '4000000', validAfter: '0', validBefore: '3000000000', signature }
  }

  test('landed early by a stranger, it counts for its payment', async () => {
    const authorization = await landedByStranger()
    const before = await usdcOf(base.operator)
    const destination = nobody()
    const payment = await buy({
      transactionData: { type: 'token', destination },
      customerUsdcTransferDataV2: authorization,
    })
    expect(payment).toMatchObject(settled)
    expect(await usdcOf(destination)).toBe(amount)
    expect(before - (await usdcOf(base.operator))).toBe(6_000_000n)
  })

  test('landed for payments that came to nothing, it goes back to the customer, once', async () => {
    const { alice } = sandbox.people
    const customerUsdcTransferDataV2 = await landedByStranger()
    const left = await usdcOf(alice.address)
    const held = { customerUsdcTransferDataV2, authOnly: true }
    const payments = [await checkout(held), await checkout(held)]
    for (const { body } of payments)
      await service.post('/api/checkout/void', { paymentId: body.paymentId }, key)
    await expect.poll(() => usdcOf(alice.address), { timeout: 15_000 }).toBe(left + 4_000_000n)
    // What else there is to do has been done when this one has settled.
    await buy({ transactionData: { type: 'token', destination: nobody() } })
    expect(await usdcOf(alice.address)).toBe(left + 4_000_000n)
  })
})

test('a payment that was journalled when the service stopped is settled once by the next one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'settlement-'))
  const merchants = [{ merchantId: sandbox.merchantId, apiKey: sandbox.apiKey }]
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

test('each period of a subscription does what its plan carries', async () => {
  const destination = nobody()
  const headers = { 'x-svc-auth-user-id': 'alice', ...customer(sandbox.people.alice.address) }
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
