import { type Hex, keccak256, stringToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
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
  redeemedEvents,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/*
 * A thousand redeems by different customers over several nonce queues, while the base fee rises a thousandfold.
 */

const count = 1_000
const usualBaseFee = 10_000_000n
const relayers = ['operator', 'relayer 2', 'relayer 3', 'relayer 4'].map((name) => devAccount(name))

/** Provides the chain. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let store: Awaited<ReturnType<typeof openStore>>
let sandbox: Sandbox
let chain: ReturnType<typeof anvil>
let base: SandboxChain

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  const admin = devAccount('admin').account.address
  for (const { account } of relayers) {
    await chain.rpc('anvil_setBalance', [account.address, '0x3635c9adc5dea00000'])
    const role = keccak256(stringToHex('OPERATOR_ROLE'))
    await chain.call(base.creditsContract, creditsAbi, 'grantRole', [role, account.address], admin)
  }
  store = await openStore()
  const [operator, ...others] = relayers.map(({ privateKey }) => privateKey)
  sandbox = createSandbox({
    store: async () => ({ ...store, close: async () => {} }),
    merchants: [{ merchantId: lender.merchantId, apiKey: 'the key' }],
    // Keeps redeems that were signed before the spike from being refused for their fee.
    gasFeePayer: 'merchant',
    rateLimit: false,
    chains: [
      {
        ...lentChain(lender),
        operatorKey: operator as Hex, // The first of four accounts.
        relayerKeys: others,
      },
    ],
  })
})
afterAll(async () => {
  await sandbox?.stop()
  await store?.close()
  await lender?.stop()
})

const signs = (on: Caller, key: PrivateKeyAccount) => signedPayment(on, lender, { key })

/** Sends a few requests at a time, as a service's client does. */
async function each<item, result>(
  items: readonly item[],
  work: (item: item) => Promise<result>,
): Promise<result[]> {
  const results: result[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as item) // The index is within the list.
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return results
}

const rows = () => toStore(store).database.select().from(transactions)
const openOnes = async () =>
  (await rows()).filter(({ status }) => status === 'journalled' || status === 'broadcast')
const setBaseFee = (wei: bigint) => chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`])
const mine = () => chain.rpc('evm_mine', [])

test('none of 1,000 redeems is stuck when the base fee rises a thousandfold: each is mined once, two blocks after the fees are raised', async () => {
  const on = caller(sandbox.app)
  const customers = Array.from({ length: count }, (_, index) =>
    privateKeyToAccount(keccak256(stringToHex(`spike ${index}`))),
  )
  await each(customers, ({ address }) => lender.mintCredits({ wallet: address, cents: 200 }))
  const signed = await each(customers, async (key) => ({ key, body: await signs(on, key) }))
  const submit = async (some: typeof signed) => {
    const answers = await each(some, ({ key, body }) =>
      on.post(sendGaslessTxPath, body, customer(key.address)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  await submit(signed.slice(0, count / 4))
  // From here on, transactions wait in the node, because their fee is too low.
  await chain.rpc('evm_setAutomine', [false])
  await submit(signed.slice(count / 4, count / 2))
  await setBaseFee(usualBaseFee * 1_000n)
  await mine()
  const stuck = (await openOnes()).map(({ id }) => id)
  expect(stuck.length).toBeGreaterThan(1)
  await expect
    .poll(
      async () =>
        (await openOnes()).filter(({ replaced, status }) => replaced.length === 0 || status !== 'broadcast'),
      {
        timeout: 120_000,
      },
    )
    .toEqual([])
  await mine()
  await mine()
  const included = async () =>
    (await rows()).filter(({ id, status }) => stuck.includes(id) && status === 'mined')
  await expect.poll(async () => (await included()).length, { timeout: 60_000 }).toBe(stuck.length)
  // The base fee goes up, and then down again.
  await chain.rpc('evm_setAutomine', [true])
  await submit(signed.slice(count / 2, (count / 4) * 3))
  await setBaseFee(usualBaseFee)
  await mine()
  await submit(signed.slice((count / 4) * 3))
  await expect.poll(openOnes, { timeout: 60_000 }).toEqual([])
  const kept = await toStore(store).database.select().from(redeems)
  expect(kept.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 'redeemed'))
  const logs = await redeemedEvents(base)
  const nonces = logs.map(({ args }) => args.nonce)
  expect(nonces.sort()).toEqual(signed.map(({ body }) => body.nonce).sort())
  const senders = new Set((await rows()).map(({ sender }) => sender))
  expect(senders.size).toBeGreaterThan(1)
})
