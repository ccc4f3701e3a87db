import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
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
import { nonceQueues, transactions } from '../../src/sandbox/store/tables/index.ts'
import {
  anvil,
  caller,
  customer,
  lentChain,
  redeemHashes,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/** Provides the chain. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
})
afterAll(() => lender?.stop())

let store: Awaited<ReturnType<typeof openStore>>
const services: Sandbox[] = []
beforeEach(async () => {
  store = await openStore()
})
afterEach(async () => {
  await chain.rpc('evm_setAutomine', [true])
  await setBaseFee(usualBaseFee)
  await chain.rpc('evm_mine', [])
  for (const service of services.splice(0)) await service.stop()
  await store.close()
})

/** Starts a service process on the lent chain and this test's database. */
function service(options: { maxFeePerGas?: bigint } = {}) {
  const sandbox = createSandbox({
    environment: 'sandbox',
    store: async () => ({ ...store, close: async () => {} }),
    merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
    // Keeps redeems that were signed before a spike from being refused for their fee.
    gasFeePayer: 'merchant',
    chains: [{ ...lentChain(lender), ...options }],
  })
  services.push(sandbox)
  return caller(sandbox.app)
}

const usualBaseFee = 10_000_000n
const setBaseFee = (wei: bigint) => chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])
const mine = () => chain.rpc('evm_mine', [])
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function aliceSigns(on: ReturnType<typeof service>): Promise<SendGaslessTxBody> {
  return signedPayment(on, lender, { cents: 700 })
}
const submit = (on: ReturnType<typeof service>, body: SendGaslessTxBody) =>
  on.post(sendGaslessTxPath, body, customer(lender.accounts.alice.address))

const hashesOf = ({ nonce }: SendGaslessTxBody) => redeemHashes(base, [nonce])
const rows = () => toStore(store).database.select().from(transactions)
const replacements = async () => (await rows()).flatMap(({ replaced }) => replaced)

/** Returns a redeem that is sent but not mined, because its fee is too low. */
async function stuck(on: ReturnType<typeof service>, baseFee: bigint) {
  const body = await aliceSigns(on)
  await chain.rpc('evm_setAutomine', [false])
  const { body: answer } = await submit(on, body)
  await setBaseFee(baseFee)
  await mine()
  expect(await hashesOf(body)).toEqual([])
  return { body, hash: answer.hash as Hex } // The schema guarantees a hash.
}

test('a base fee rises a thousandfold: the transaction is replaced with a sufficient fee, and the redeem executes once', async () => {
  const on = service()
  const { body, hash } = await stuck(on, usualBaseFee * 1_000n)
  await expect.poll(replacements, { timeout: 10_000 }).toHaveLength(1)
  const replacing = (await submit(on, body)).body.hash
  expect(replacing).not.toBe(hash)
  await expect.poll(async () => (await chain.client.getTransaction({ hash: replacing })).hash).toBe(replacing)
  await mine()
  expect(await hashesOf(body)).toEqual([replacing])
  await expect.poll(async () => (await rows())[0]?.status, { timeout: 10_000 }).toBe('mined')
  expect((await submit(on, body)).body).toEqual({ hash: replacing })
})

test('a base fee above the limit: nothing is replaced until it falls, then the transaction is mined within two blocks', async () => {
  const on = service({ maxFeePerGas: usualBaseFee * 20n })
  const { body } = await stuck(on, usualBaseFee * 1_000n)
  await pause(2_000)
  expect(await replacements()).toEqual([])
  // Below the limit, but still above the transaction's maximum fee.
  await setBaseFee(usualBaseFee * 10n)
  await mine()
  await expect.poll(replacements, { timeout: 10_000 }).toHaveLength(1)
  await expect.poll(async () => (await rows())[0]?.status, { timeout: 10_000 }).toBe('broadcast')
  await mine()
  expect(await hashesOf(body)).toHaveLength(1)
})

test('a redeem sent while the base fee is above the limit waits in the journal until it falls', async () => {
  const on = service({ maxFeePerGas: usualBaseFee * 2n })
  const body = await aliceSigns(on)
  await setBaseFee(usualBaseFee * 5n)
  await mine()
  expect((await submit(on, body)).status).toBe(200)
  await pause(500)
  expect(await hashesOf(body)).toEqual([])
  await setBaseFee(usualBaseFee)
  await mine()
  await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toHaveLength(1)
})

test('if the replaced transaction is mined after all, the redeem has its hash', async () => {
  const on = service()
  const { body, hash } = await stuck(on, usualBaseFee * 1_000n)
  await expect.poll(replacements, { timeout: 10_000 }).toHaveLength(1)
  const [old] = await replacements()
  await expect.poll(async () => (await rows())[0]?.status, { timeout: 10_000 }).toBe('broadcast')
  await chain.rpc('anvil_dropTransaction', [(await rows())[0]?.hash])
  await setBaseFee(usualBaseFee)
  await mine()
  await chain.rpc('eth_sendRawTransaction', [old?.raw])
  await mine()
  expect(await hashesOf(body)).toEqual([hash])
  await expect
    .poll(async () => (await rows())[0], { timeout: 10_000 })
    .toMatchObject({ status: 'mined', hash })
  expect((await submit(on, body)).body).toEqual({ hash })
})

test('if two processes detect the stuck transaction, only one replaces it', async () => {
  const first = service()
  const { body } = await stuck(first, usualBaseFee * 1_000n)
  const second = service()
  await submit(second, body)
  await expect.poll(replacements, { timeout: 10_000 }).toHaveLength(1)
  await pause(1_500)
  expect(await replacements()).toHaveLength(1)
  await mine()
  expect(await hashesOf(body)).toHaveLength(1)
})

test('a nonce queue ahead of the chain: the next redeem fills the gap', async () => {
  const on = service()
  await submit(on, await aliceSigns(on))
  await expect.poll(async () => (await rows())[0]?.status, { timeout: 10_000 }).toBe('mined')
  const operator = devAccount('operator').account.address
  const { database } = toStore(store)
  const [nonceQueue] = await database.select().from(nonceQueues)
  await database
    .update(nonceQueues)
    .set({ nextNonce: (nonceQueue?.nextNonce ?? 0) + 7 })
    .where(eq(nonceQueues.sender, operator))
  const body = await aliceSigns(on)
  expect((await submit(on, body)).status).toBe(200)
  await expect.poll(() => hashesOf(body), { timeout: 10_000 }).toHaveLength(1)
})
