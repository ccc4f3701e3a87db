import { encodeFunctionData, type Hex, keccak256, parseTransaction, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import type { SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
import { requestsOfBatch } from '../../src/sandbox/contracts/creditsCalls.ts'
import {
  createSandbox,
  devAccount,
  openStore,
  type RunningSandbox,
  type Sandbox,
  type SandboxChain,
  startSandbox,
} from '../../src/sandbox/index.ts'
import { toStore } from '../../src/sandbox/store/openStore.ts'
import { redeems, transactions } from '../../src/sandbox/store/tables/index.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  readCredits,
  redeemHashes,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/** Every acquired lock, with its key. */
const turns: string[] = []
vi.mock('../../src/sandbox/concurrency.ts', async (load) => {
  const concurrency = await load<typeof import('../../src/sandbox/concurrency.ts')>()
  return {
    ...concurrency,
    keyedLock: () => {
      const lock = concurrency.keyedLock()
      return (key: string, work: () => Promise<unknown>) => {
        turns.push(key)
        return lock(key, work)
      }
    },
  }
})

/** Provides the chain. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let customers: PrivateKeyAccount[]

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  customers = Array.from({ length: 12 }, (_, index) =>
    privateKeyToAccount(keccak256(stringToHex(`together ${index}`))),
  )
  await Promise.all(customers.map(({ address }) => lender.mintCredits({ wallet: address, cents: 5_000 })))
})
afterAll(() => lender?.stop())

let store: Awaited<ReturnType<typeof openStore>>
const services: Sandbox[] = []
beforeEach(async () => {
  store = await openStore()
})
afterEach(async () => {
  await chain.rpc('evm_setAutomine', [true])
  await chain.rpc('evm_mine', [])
  for (const service of services.splice(0)) await service.stop()
  await store.close()
})

/** Starts a service process on the lent chain and this test's database. */
function service(options: { relayerKeys?: Hex[] } = {}): Caller {
  const sandbox = createSandbox({
    store: async () => ({ ...store, close: async () => {} }),
    merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
    chains: [{ ...lentChain(lender), ...options }],
  })
  services.push(sandbox)
  return caller(sandbox.app)
}

function signs(on: Caller, account: PrivateKeyAccount, cents = 100): Promise<SendGaslessTxBody> {
  return signedPayment(on, lender, { cents, key: account })
}
const submit = (on: Caller, account: PrivateKeyAccount, body: SendGaslessTxBody) =>
  on.post(sendGaslessTxPath, body, customer(account.address))

const hashesOf = ({ nonce }: SendGaslessTxBody) => redeemHashes(base, [nonce])
const journal = () => toStore(store).database.select().from(transactions)
const rows = () => toStore(store).database.select().from(redeems)

test('forty invalid requests for a wallet do not count toward its limit, and its own redeem succeeds', async () => {
  const on = service()
  const [alice] = customers as [PrivateKeyAccount]
  const body = await signs(on, alice)
  const others = await Promise.all(customers.slice(1).map((other) => signs(on, other)))
  turns.length = 0
  const junk = Array.from({ length: 40 }, (_, index) => ({
    ...body,
    // Signatures by other accounts, and invalid bytes.
    signedMessages: {
      permitCredits:
        others[index]?.signedMessages.permitCredits ??
        (`0x${'1b'.repeat(index)}${'22'.repeat(65 - index)}` as Hex), // hex
    },
  }))
  const answers = await Promise.all(junk.map((one) => submit(on, alice, one)))
  expect(new Set(answers.map((answer) => answer.body.code))).toEqual(new Set(['INVALID_PERMIT']))
  const ofAlice = () => turns.filter((key) => key.includes(alice.address))
  expect(ofAlice()).toEqual([])
  expect((await submit(on, alice, body)).status).toBe(200)
  expect(ofAlice()).toHaveLength(1)
})

test('concurrent redeems share a few transactions, are executed exactly once, and return the hash of their transaction', async () => {
  const on = service()
  const bodies = await Promise.all(customers.map((one) => signs(on, one)))
  const submitAll = () =>
    Promise.all(customers.map((one, index) => submit(on, one, bodies[index] as SendGaslessTxBody))) // one for each
  const answers = await submitAll()
  const hashes = answers.map(({ body }) => body.hash)
  expect(new Set(hashes).size).toBeLessThan(customers.length)
  for (const [index, body] of bodies.entries())
    await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toEqual([hashes[index]])
  await expect
    .poll(async () => new Set((await rows()).map(({ status }) => status)), { timeout: 10_000 })
    .toEqual(new Set(['redeemed']))
  expect((await submitAll()).map(({ body }) => body.hash)).toEqual(hashes)
})

test('a single redeem gets a separate transaction', async () => {
  const on = service()
  const [alice] = customers as [PrivateKeyAccount]
  await submit(on, alice, await signs(on, alice))
  expect((await journal()).map(({ reference }) => reference.kind)).toEqual(['redeem'])
})

/** Returns a batch that is sent but not mined, and one of its redeems. */
async function batchInThePool(on: Caller) {
  const bodies = await Promise.all(customers.map((one) => signs(on, one)))
  await chain.rpc('evm_setAutomine', [false])
  await Promise.all(customers.map((one, index) => submit(on, one, bodies[index] as SendGaslessTxBody))) // one for each
  const batch = (await journal()).find(({ reference }) => reference.kind === 'batch')
  const request = batch && requestsOfBatch(parseTransaction(batch.raw).data ?? '0x')[0]
  const index = customers.findIndex(({ address }) => address === request?.permit.customerWallet)
  const [one, body] = [customers[index], bodies[index]]
  if (request === undefined || one === undefined || body === undefined) throw new Error('There is no batch.')
  return { bodies, request, customer: one, body }
}

/**
 * Sends without waiting for the receipt. Anvil orders a block by the transactions' maximum fees, so this one is placed before or
 * after the batch.
 */
async function sendFrom(from: Hex, data: Hex, place: 'before' | 'after'): Promise<void> {
  const { baseFeePerGas } = await chain.client.getBlock()
  const most = place === 'before' ? 10n ** 12n : ((baseFeePerGas ?? 0n) * 13n) / 10n
  await chain.rpc('anvil_impersonateAccount', [from])
  await chain.rpc('anvil_setBalance', [from, '0x3635c9adc5dea00000'])
  await chain.rpc('eth_sendTransaction', [
    {
      from,
      to: base.creditsContract,
      data,
      gas: '0x7a120',
      maxFeePerGas: `0x${most.toString(16)}`,
      maxPriorityFeePerGas: '0x0',
    },
  ])
}

test("a failing item does not affect the others; an item relayed earlier returns the third party's transaction", async () => {
  const on = service()
  const { bodies, request, customer: one, body } = await batchInThePool(on)
  const stranger = privateKeyToAccount(keccak256(stringToHex('stranger'))).address
  const data = encodeFunctionData({
    abi: creditsAbi,
    functionName: 'redeem',
    args: [{ ...request, gasFee: 0n }],
  })
  await sendFrom(stranger, data, 'before')
  await chain.rpc('evm_mine', [])
  await chain.rpc('evm_setAutomine', [true])
  for (const each of bodies) await expect.poll(() => hashesOf(each), { timeout: 10_000 }).toHaveLength(1)
  const [theirs] = await hashesOf(body)
  await expect
    .poll(async () => (await rows()).find(({ nonce }) => nonce === body.nonce), { timeout: 10_000 })
    .toMatchObject({ status: 'redeemed', hash: theirs })
  // The relayer closes its batch with a delay.
  await expect
    .poll(async () => (await rows()).filter(({ status }) => status === 'redeemed'), { timeout: 10_000 })
    .toHaveLength(customers.length)
  expect((await submit(on, one, body)).body).toEqual({ hash: theirs })
})

test('an item that failed with too few credits is sent alone once the credits are back', async () => {
  const on = service()
  const { customer: one, body } = await batchInThePool(on)
  const bank = devAccount('bank').account.address
  const credits = await readCredits(base, lender.creditSeed, one.address)
  // The credits are paid out before the batch and given back after it, in the same block.
  await sendFrom(
    bank,
    encodeFunctionData({
      abi: creditsAbi,
      functionName: 'burn',
      args: [lender.creditSeed, one.address, credits],
    }),
    'before',
  )
  await sendFrom(
    bank,
    encodeFunctionData({
      abi: creditsAbi,
      functionName: 'mint',
      args: [lender.creditSeed, one.address, credits],
    }),
    'after',
  )
  await chain.rpc('evm_mine', [])
  expect(await hashesOf(body)).toEqual([])
  await chain.rpc('evm_setAutomine', [true])
  await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toHaveLength(1)
  const [own] = await hashesOf(body)
  await expect
    .poll(async () => (await rows()).find(({ nonce }) => nonce === body.nonce), { timeout: 10_000 })
    .toMatchObject({ status: 'redeemed', hash: own, attempt: 2 })
})

test('two processes that receive the same redeem at the same time send it once and both return its hash', async () => {
  const [first, second] = [service(), service()]
  const bodies = await Promise.all(customers.map((one) => signs(first, one)))
  const answers = await Promise.all(
    [first, second].flatMap(
      (on) => customers.map((one, index) => submit(on, one, bodies[index] as SendGaslessTxBody)), // one for each
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const [index, body] of bodies.entries()) {
    await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toHaveLength(1)
    const [hash] = await hashesOf(body)
    expect([answers[index]?.body.hash, answers[index + customers.length]?.body.hash]).toEqual([hash, hash])
  }
  await expect
    .poll(async () => new Set((await journal()).map(({ status }) => status)), { timeout: 10_000 })
    .toEqual(new Set(['mined']))
})

test('several relayer accounts alternate, each with its own nonces', async () => {
  const others = ['relayer 2', 'relayer 3'].map((name) => devAccount(name))
  const admin = devAccount('admin').account.address
  for (const { account } of others) {
    await chain.rpc('anvil_setBalance', [account.address, '0x3635c9adc5dea00000'])
    const role = keccak256(stringToHex('OPERATOR_ROLE'))
    await chain.call(base.creditsContract, creditsAbi, 'grantRole', [role, account.address], admin)
  }
  const on = service({ relayerKeys: others.map(({ privateKey }) => privateKey) })
  const [alice] = customers as [PrivateKeyAccount]
  for (let turn = 0; turn < 3; turn++) {
    const body = await signs(on, alice)
    expect((await submit(on, alice, body)).status).toBe(200)
    await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toHaveLength(1)
  }
  const senders = (await journal()).map(({ sender }) => sender)
  expect(new Set(senders)).toEqual(
    new Set([devAccount('operator'), ...others].map(({ account }) => account.address)),
  )
})
