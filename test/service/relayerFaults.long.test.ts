import { eq } from 'drizzle-orm'
import { decodeFunctionData, type Hex, parseTransaction, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { createPaymentsClient } from '../../src/redeemkit/api/createPaymentsClient.ts'
import { redeem } from '../../src/redeemkit/index.ts'
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
import { redeems, transactions } from '../../src/sandbox/store/tables/index.ts'
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts'
import {
  anvil,
  type Caller,
  caller,
  customer,
  lentChain,
  readUsdc,
  redeemHashes,
  sendGaslessTxPath,
  signedPayment,
} from './sandboxClient.ts'

/* Known faults of relayers, by their usual names. `stuckTransactions.test.ts` has those about fees. */

/** Provides the chain. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
let base: SandboxChain
let chain: ReturnType<typeof anvil>
let proxy: RpcProxy
let store: Awaited<ReturnType<typeof openStore>>
let sandbox: Sandbox
let service: Caller
let errors: unknown[]
const operator = devAccount('operator')

beforeAll(async () => {
  lender = await startSandbox({ bridge: false })
  ;({ base } = lender.chains as Required<typeof lender.chains>) // the sandbox starts it by default
  chain = anvil(base.rpcUrl)
  proxy = await startRpcProxy(base.rpcUrl)
})
afterAll(async () => {
  await proxy?.close()
  await lender?.stop()
})
beforeEach(async () => {
  store = await openStore()
  errors = []
  sandbox = createSandbox({
    onError: (error) => errors.push(error),
    store: async () => ({ ...store, close: async () => {} }),
    merchants: [{ merchantId: lender.merchantId, creditSeed: lender.creditSeed, apiKey: 'the key' }],
    chains: [{ ...lentChain(lender), rpcUrl: proxy.url }],
  })
  service = caller(sandbox.app)
})
afterEach(async () => {
  proxy.fate = () => 'pass'
  await chain.rpc('evm_setAutomine', [true])
  await chain.rpc('evm_mine', [])
  await sandbox.stop()
  await store.close()
})

const sign = (): Promise<SendGaslessTxBody> => signedPayment(service, lender)
const clientOfAlice = () =>
  createPaymentsClient({
    baseUrl: 'http://localhost',
    merchantId: lender.merchantId,
    blockchain: 'base',
    environment: 'sandbox',
    wallet: lender.accounts.alice.address,
    fetch: async (input, init) => sandbox.app.request(String(input), init),
  })
const submit = (body: SendGaslessTxBody) =>
  service.post(sendGaslessTxPath, body, customer(lender.accounts.alice.address))
/** Submits until it succeeds, like a customer whose request failed temporarily. */
async function submitUntilTaken(body: SendGaslessTxBody): Promise<Hex> {
  for (;;) {
    const answer = await submit(body)
    if (answer.status === 200) return answer.body.hash
    expect(answer.status).toBe(503)
  }
}
const hashesOf = ({ nonce }: SendGaslessTxBody) => redeemHashes(base, [nonce])
const journal = () => toStore(store).database.select().from(transactions).orderBy(transactions.id)
const statuses = async () => (await journal()).map(({ status }) => status)
const allMined = (count: number) =>
  expect.poll(statuses, { timeout: 15_000 }).toEqual(Array.from({ length: count }, () => 'mined'))
const until = { timeout: 15_000 }

describe('a node that', () => {
  test.each(['delay', 'cut', 'lost', 429] as const)(
    'fails every third request (%s): each redeem is mined once',
    async (fate) => {
      const bodies = [await sign(), await sign(), await sign(), await sign()]
      let count = 0
      proxy.fate = () => (++count % 3 === 0 ? fate : 'pass')
      const hashes = await Promise.all(bodies.map(submitUntilTaken))
      for (const [at, body] of bodies.entries())
        await expect.poll(() => hashesOf(body), until).toEqual([hashes[at]])
      expect(count).toBeGreaterThan(6)
      await expect.poll(async () => new Set(await statuses()), until).toEqual(new Set(['mined']))
    },
  )

  test('accepts a transaction and loses the response: there is no second one', async () => {
    const body = await sign()
    let lost = 0
    proxy.fate = (text) => (text.includes('eth_sendRawTransaction') && lost++ < 2 ? 'lost' : 'pass')
    const hash = await submitUntilTaken(body)
    expect(lost).toBeGreaterThan(0)
    await expect.poll(() => hashesOf(body), until).toEqual([hash])
    await allMined(1)
  })
})

describe('a node without state overrides', () => {
  test('is supported: the service reports it once, and does not use overrides again for a while', async () => {
    const bodies = [await sign(), await sign(), await sign()]
    let refused = 0
    proxy.fate = (text) => {
      if (!text.includes('"code":"0x')) return 'pass'
      refused++
      return 'refuse'
    }
    for (const body of bodies) await submitUntilTaken(body)
    await allMined(3)
    expect(refused).toBe(1)
    expect(errors).toMatchObject([{ name: 'ChainReadError' }])
  })
})

describe('a reorganisation', () => {
  test.each([
    ['the customer asks again', false],
    ['another redeem comes first', true],
  ])(
    'drops a mined redeem: the relayer sends it again as it was signed, once, when %s',
    async (_, another) => {
      const [body, next] = [await sign(), await sign()]
      const snapshot = await chain.rpc('evm_snapshot', [])
      const { hash } = (await submit(body)).body
      await allMined(1)
      const [before] = await journal()
      await chain.rpc('evm_revert', [snapshot])
      expect(await hashesOf(body)).toEqual([])
      if (another) expect((await submit(next)).status).toBe(200)
      expect((await submit(body)).body).toEqual({ hash })
      await expect.poll(() => hashesOf(body), until).toEqual([hash])
      await allMined(another ? 2 : 1)
      const [after] = await journal()
      expect(after).toMatchObject({ id: before?.id, raw: before?.raw, replaced: [] })
      const [redeemed] = await toStore(store)
        .database.select()
        .from(redeems)
        .where(eq(redeems.nonce, body.nonce))
      expect(redeemed).toMatchObject({ status: 'redeemed', hash })
    },
  )
})

describe('known problems of other relayers', () => {
  test('nonce gap: a transaction lost by the mempool is sent again with its nonce', async () => {
    const bodies = [await sign(), await sign(), await sign()]
    await chain.rpc('evm_setAutomine', [false])
    for (const body of bodies) expect((await submit(body)).status).toBe(200)
    const [first] = await journal()
    await chain.rpc('anvil_dropTransaction', [first?.hash])
    await chain.rpc('evm_setAutomine', [true])
    for (const body of bodies) await expect.poll(() => hashesOf(body), until).toHaveLength(1)
    await allMined(3)
  })

  test('relayer key used elsewhere: a transaction that lost its nonce is dropped, and the redeem is sent again', async () => {
    const body = await sign()
    proxy.fate = (text) => (text.includes('eth_sendRawTransaction') ? 'cut' : 'pass')
    expect((await submit(body)).status).toBe(503)
    await chain.send({ from: operator.account.address, to: operator.account.address, value: 1n })
    proxy.fate = () => 'pass'
    await expect.poll(statuses, until).toEqual(['dropped'])
    const { hash } = (await submit(body)).body
    await expect.poll(() => hashesOf(body), until).toEqual([hash])
  })

  test('an account with too little gas: nothing is lost, and the relayer resumes when it is funded', async () => {
    const body = await sign()
    const { address } = operator.account
    const balance = await chain.client.getBalance({ address })
    await chain.rpc('anvil_setBalance', [address, '0x1'])
    const { status, body: refused } = await submit(body)
    await chain.rpc('anvil_setBalance', [address, toHex(balance)])
    expect({ status, code: refused.code }).toEqual({ status: 503, code: 'UNAVAILABLE' })
    const hash = await submitUntilTaken(body)
    await expect.poll(() => hashesOf(body), until).toEqual([hash])
  })

  test('a lost response to a settlement: the same body returns the same hash and is charged once', async () => {
    const body = await sign()
    const [hash] = await Promise.all([submitUntilTaken(body), submitUntilTaken(body)])
    await allMined(1)
    expect((await submit(body)).body).toEqual({ hash })
    expect(await hashesOf(body)).toEqual([hash])
  })

  test('one signed redeem submitted a hundred times: one transaction, one hash', async () => {
    const body = await sign()
    const answers = await Promise.all(Array.from({ length: 100 }, () => submit(body)))
    const hashes = new Set(answers.map((answer) => answer.body.hash))
    expect(hashes.size).toBe(1)
    await expect.poll(() => hashesOf(body), until).toEqual([...hashes])
    expect(await journal()).toHaveLength(1)
  })
})

describe('a third party relays the same permit', () => {
  type Call = { method: string; params: [never] }
  /** Returns the data of the service's call at that moment. */
  const moments: Record<string, (call: Call) => Hex | undefined> = {
    'between the check and the simulation': ({ method, params: [call] }) =>
      method === 'eth_estimateGas' ? (call as { data: Hex }).data : undefined, // JSON-RPC
    'between the simulation and the submission': ({ method, params: [raw] }) =>
      method === 'eth_sendRawTransaction' ? parseTransaction(raw).data : undefined,
  }

  test.each(Object.entries(moments))(
    '%s: the redeem is complete, with the third party’s hash',
    async (_, dataOf) => {
      const shop = privateKeyToAccount(generatePrivateKey()).address
      const stranger = privateKeyToAccount(generatePrivateKey()).address
      const { alice } = lender.accounts
      let relayed: ReturnType<typeof chain.call> | undefined
      const relayBefore = async (text: string): Promise<'pass'> => {
        const calls = [JSON.parse(text)].flat() as Call[] // JSON-RPC
        const [data] = calls.flatMap((call) => dataOf(call) ?? [])
        if (data === undefined) return 'pass'
        const { functionName, args } = decodeFunctionData({ abi: creditsAbi, data })
        if (functionName !== 'redeem') throw new Error(`The service calls ${functionName}.`)
        // Only an operator may charge a fee.
        const free = [{ ...args[0], gasFee: 0n }]
        relayed ??= chain.call(base.creditsContract, creditsAbi, functionName, free, stranger)
        // If this fails, the comparison of the hash below reports it.
        await relayed.catch(() => {})
        return 'pass'
      }
      const prompts: string[] = []
      let wasRefused = false
      const order = {
        purchaseId: shop,
        subtotal: { cents: 100 },
        usdcAmount: { cents: 40 },
        transactionData: { type: 'token', destination: shop } as const,
      }
      const pay = () =>
        redeem(clientOfAlice(), {
          ...order,
          pinned: base.pinned,
          signer: alice.account,
          publicClient: chain.client,
          pollingIntervalMs: 20,
          onStep: (step) => {
            if (step.step === 'signing') prompts.push(step.prompt)
            // Before that, the service simulates without a signature.
            if (step.step === 'submitting') proxy.fate = relayBefore
            if (step.step === 'lookingUp') wasRefused = true
          },
        })
      const { hash, nonce, outcome } = await pay()
      expect(hash).toBe((await relayed)?.transactionHash)
      expect(outcome).toMatchObject({ hash, amount: 1_000_000n, usdcAmount: 400_000n })
      // A repeated request returns the same payment.
      expect(await pay()).toMatchObject({ hash, nonce })
      expect(prompts).toEqual(['creditPermit', 'usdcAuthorization'])
      expect(wasRefused).toBe(false)
      expect(await readUsdc(base, shop)).toBe(1_000_000n)
    },
  )
})

// Runs last, because the chain's clock cannot be set back.
test('the chain’s clock half an hour ahead of the service’s: a permit is valid by the chain’s time', async () => {
  const ahead = Math.floor(Date.now() / 1000) + 1_800
  await chain.rpc('evm_setNextBlockTimestamp', [ahead])
  await chain.rpc('evm_mine', [])
  const { outcome } = await redeem(clientOfAlice(), {
    subtotal: { cents: 100 },
    transactionData: { type: 'token', destination: lender.accounts.bob.address },
    pinned: base.pinned,
    signer: lender.accounts.alice.account,
    publicClient: chain.client,
    pollingIntervalMs: 20,
  })
  expect(outcome).toMatchObject({ wallet: lender.accounts.alice.address })
  const body = await sign()
  expect(Number(body.validBefore)).toBeGreaterThan(ahead + 1_500)
})
