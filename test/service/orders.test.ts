import { custom, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../contracts/generated/Credits.ts'
import { mockUsdcAbi } from '../../contracts/generated/MockUsdc.ts'
import {
  creditPermitTypedData,
  orderKey,
  orderKeyOf,
  usdcAuthorizationTypedData,
} from '../../src/redeemkit/evm/index.ts'
import type { SendGaslessTxBody } from '../../src/redeemkit/schema/index.ts'
import {
  createSandbox,
  devAccount,
  openStore,
  type RunningSandbox,
  type Sandbox,
  startSandbox,
} from '../../src/sandbox/index.ts'
import { toStore } from '../../src/sandbox/store/openStore.ts'
import { eventCursors, intents, orderClaims, redeems } from '../../src/sandbox/store/tables/index.ts'
import { onPostgres } from '../postgres/onEachDatabase.ts'
import {
  anvil,
  type Caller,
  caller,
  creditsAuthMsgPath,
  customer,
  lentChain,
  readCredits,
  sendGaslessTxPath,
  signedBody,
} from './sandboxClient.ts'

/*
 * One order, one payment: across attempts, chains, processes and relayers.
 */

type Blockchain = 'base' | 'arbitrum'

/** Provides the chains. Its own service stays idle, because only one service may manage an account's nonces. */
let lender: RunningSandbox
const chains = {} as Record<Blockchain, ReturnType<typeof anvil>>

beforeAll(async () => {
  lender = await startSandbox({ blockchains: ['base', 'arbitrum'] })
  for (const blockchain of ['base', 'arbitrum'] as const)
    chains[blockchain] = anvil(chainOf(blockchain).rpcUrl)
})
afterAll(() => lender?.stop())

const chainOf = (blockchain: Blockchain) => (lender.chains as Required<typeof lender.chains>)[blockchain]

/** Shared by all tests except those that count events. Each test uses separate orders. */
let store: Awaited<ReturnType<typeof openStore>>
const services: Sandbox[] = []
beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store?.close())
afterEach(stopServices)

async function stopServices(): Promise<void> {
  for (const chain of Object.values(chains)) {
    await chain.rpc('evm_setAutomine', [true])
    // Mines enough blocks to confirm these redeems before the next test's service starts.
    await chain.rpc('anvil_mine', ['0x5'])
  }
  for (const service of services.splice(0)) await service.stop()
}

const apiKey = 'the key of the shop'

/** Starts a service process on the lent chains: on this test's database, or on a server. */
async function service(
  options: {
    confirmations?: number
    databaseUrl?: string
    others?: readonly { merchantId: string; apiKey: string }[]
  } = {},
): Promise<Caller> {
  const { confirmations, databaseUrl, others = [] } = options
  const sandbox = createSandbox({
    ...(databaseUrl === undefined
      ? { store: async () => ({ ...store, close: async () => {} }) }
      : { databaseUrl }),
    merchants: [{ merchantId: lender.merchantId, apiKey }, ...others],
    chains: (['base', 'arbitrum'] as const).map((blockchain) => ({
      ...lentChain(lender, blockchain),
      confirmations,
    })),
  })
  services.push(sandbox)
  await sandbox.start()
  return caller(sandbox.app)
}

/** Returns a wallet with 50 USD of credits on both chains. */
async function wallet(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  for (const blockchain of ['base', 'arbitrum'] as const)
    await lender.mintCredits({ wallet: account.address, cents: 5_000, blockchain })
  return account
}

type Attempt = { body: SendGaslessTxBody; account: PrivateKeyAccount; blockchain: Blockchain }

async function attempt(
  on: Caller,
  account: PrivateKeyAccount,
  options: {
    purchaseId: string
    cents?: number
    blockchain?: Blockchain
    webhookInfo?: object
    usdcCents?: number
  },
): Promise<Attempt> {
  const { cents = 1_000, blockchain = 'base', usdcCents, webhookInfo, purchaseId } = options
  const body = await signedBody(on, {
    request: {
      merchantId: lender.merchantId,
      subtotal: { cents },
      transactionData: { type: 'token', destination: lender.accounts.bob.address },
      purchaseId,
      ...(webhookInfo && { webhookInfo: { ...webhookInfo } }),
      ...(usdcCents && { usdcAmount: { cents: usdcCents } }),
    },
    key: account,
    blockchain,
    payment: 'V2',
  })
  return { body, account, blockchain }
}

const submit = (on: Caller, { body, account, blockchain }: Attempt) =>
  on.post(sendGaslessTxPath, body, customer(account.address, blockchain))

const refused = (code: string, details: object = {}) => ({
  status: 409,
  body: { code, details: expect.objectContaining(details) },
})

/** Returns the events of an order on a chain, for any wallet. */
async function redeemedOf(purchaseId: string, blockchain: Blockchain, account?: PrivateKeyAccount) {
  const logs = await chains[blockchain].client.getContractEvents({
    address: chainOf(blockchain).creditsContract,
    abi: creditsAbi,
    eventName: 'Redeemed',
    args: {
      orderKey: orderKey({ merchantId: lender.merchantId, purchaseId }),
      ...(account && { customerWallet: account.address }),
    },
    fromBlock: 0n,
  })
  return logs.map(({ transactionHash, blockNumber, logIndex, args }) => ({
    hash: transactionHash,
    blockNumber,
    logIndex,
    args,
  }))
}

const eventsOf = async (
  on: Caller,
  type = 'redeem.redeemed',
  key = apiKey,
): Promise<{ id: string; data: object }[]> => {
  const { body } = await on.get('/sandbox/webhooks/events?limit=100', { authorization: `Bearer ${key}` })
  return body.events.filter((event: { type: string }) => event.type === type)
}

const mine = (blockchain: Blockchain, blocks: number) =>
  chains[blockchain].rpc('anvil_mine', [`0x${blocks.toString(16)}`])

/**
 * Sends the redeem of a signed body directly to the contract, as anyone who knows the salt can.
 *
 * @param otherSeed the customer signs the same nonce for this seed, and that permit is sent
 */
async function relayByStranger({ body, blockchain, account }: Attempt, otherSeed?: string) {
  const rows = await toStore(store).database.select().from(intents)
  const { amount, salt } = rows.find(({ nonce }) => nonce === body.nonce) ?? expect.fail()
  const { creditsContract, chainId } = chainOf(blockchain)
  const permit = {
    customerWallet: account.address,
    creditSeed: otherSeed ?? lender.creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce: body.nonce as Hex, // From a validated record.
  }
  const domain = { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract }
  const signature =
    otherSeed === undefined
      ? body.signedMessages.permitCredits
      : await account.signTypedData(creditPermitTypedData({ domain, permit }))
  return chains[blockchain].send({
    from: privateKeyToAccount(generatePrivateKey()).address,
    to: creditsContract,
    data: encodeFunctionData({
      abi: creditsAbi,
      functionName: 'redeemToken',
      args: [{ ...permit, signature }, amount, 0n, salt, lender.accounts.bob.address],
    }),
  })
}

describe('the typed data to sign', () => {
  const prepare = (on: Caller, account: PrivateKeyAccount, more: object) =>
    on.post(
      creditsAuthMsgPath,
      {
        merchantId: lender.merchantId,
        subtotal: { cents: 100 },
        transactionData: { type: 'token', destination: lender.accounts.bob.address },
        ...more,
      },
      customer(account.address),
    )

  test('has the purchase’s order key, or a random one without a purchase, and claims no order', async () => {
    const on = await service()
    const account = privateKeyToAccount(generatePrivateKey())
    const key = orderKey({ merchantId: lender.merchantId, purchaseId: 'order 1' })
    for (const more of [
      { purchaseId: 'order 1' },
      { orderKey: key },
      { orderKey: key, purchaseId: 'order 1' },
    ]) {
      const { status, body } = await prepare(on, account, more)
      expect([status, body.orderKey, orderKeyOf(body.nonce)]).toEqual([200, key, key])
      expect(body.salt).toMatch(/^0x[0-9a-f]{64}$/)
    }
    const drawn = await Promise.all([prepare(on, account, {}), prepare(on, account, {})])
    expect(new Set(drawn.map(({ body }) => body.orderKey)).size).toBe(2)
    for (const { body } of drawn) expect(orderKeyOf(body.nonce)).toBe(body.orderKey)
    expect(await toStore(store).database.select().from(orderClaims)).toEqual([])
  })

  test('a wrong key or id gets a 400 that names the reason', async () => {
    const on = await service()
    const account = privateKeyToAccount(generatePrivateKey())
    for (const [more, field, reason] of [
      [{ purchaseId: 'order 1', orderKey: `0x${'ff'.repeat(12)}` }, 'purchaseId', /order key/],
      [{ orderKey: `0x7f${'ff'.repeat(11)}` }, 'orderKey', /highest bit/],
      [{ purchaseId: 'order\u200b1' }, 'purchaseId', /U\+200B/],
    ] as const)
      expect(await prepare(on, account, more)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', issues: [field], message: expect.stringMatching(reason) },
      })
  })
})

describe('another attempt at an order', () => {
  test('is refused while one is pending and after it was mined; another wallet is not', async () => {
    const on = await service()
    const [alice, bob] = [await wallet(), await wallet()]
    const purchaseId = 'order in flight'
    const one = await attempt(on, alice, { purchaseId })
    const other = await attempt(on, alice, { purchaseId, cents: 1_001 })
    await chains.base.rpc('evm_setAutomine', [false])
    const { status, body } = await submit(on, one)
    expect(status).toBe(200)
    expect(await submit(on, other)).toMatchObject(
      refused('ORDER_UNDERWAY', { blockchain: 'base', nonce: one.body.nonce }),
    )
    expect(await submit(on, one)).toMatchObject({ status: 200, body: { hash: body.hash } })
    await chains.base.rpc('evm_setAutomine', [true])
    await mine('base', 1)
    await expect.poll(() => redeemedOf(purchaseId, 'base'), { timeout: 10_000 }).toHaveLength(1)
    expect(await submit(on, other)).toMatchObject(
      refused('ORDER_ALREADY_PAID', {
        hash: body.hash,
        nonce: one.body.nonce,
        fits: false,
        paid: '10000000',
      }),
    )
    expect(await submit(on, one)).toMatchObject({ status: 200, body: { hash: body.hash } })
    const same = await attempt(on, alice, { purchaseId })
    expect(await submit(on, same)).toMatchObject(
      refused('ORDER_ALREADY_PAID', { hash: body.hash, fits: true }),
    )
    expect((await submit(on, await attempt(on, bob, { purchaseId }))).status).toBe(200)
  })

  test('on another chain is refused while one is pending and after it was mined', async () => {
    const on = await service()
    const alice = await wallet()
    const purchaseId = 'order on two chains'
    const one = await attempt(on, alice, { purchaseId })
    const other = await attempt(on, alice, { purchaseId, blockchain: 'arbitrum' })
    await chains.base.rpc('evm_setAutomine', [false])
    const { body } = await submit(on, one)
    expect(await submit(on, other)).toMatchObject(refused('ORDER_UNDERWAY', { blockchain: 'base' }))
    await chains.base.rpc('evm_setAutomine', [true])
    await mine('base', 1)
    await expect.poll(() => redeemedOf(purchaseId, 'base'), { timeout: 10_000 }).toHaveLength(1)
    expect(await submit(on, other)).toMatchObject(
      refused('ORDER_ALREADY_PAID', {
        hash: body.hash,
        nonce: one.body.nonce,
        blockchain: 'base',
        fits: true,
      }),
    )
    expect(await redeemedOf(purchaseId, 'arbitrum')).toEqual([])
  })

  test('that fails verification claims no order', async () => {
    const on = await service()
    const alice = await wallet()
    const purchaseId = 'order of junk'
    const one = await attempt(on, alice, { purchaseId })
    const other = await attempt(on, alice, { purchaseId, blockchain: 'arbitrum' })
    const { permitCredits } = other.body.signedMessages
    const junk = { ...one, body: { ...one.body, signedMessages: { permitCredits } } }
    expect(await submit(on, junk)).toMatchObject({ status: 412, body: { code: 'INVALID_PERMIT' } })
    expect((await submit(on, other)).status).toBe(200)
  })
})

/** Sends each chain's attempt to a different process on the same database, concurrently. */
async function race(first: Caller, second: Caller, orders: number) {
  const alice = await wallet()
  const ids = Array.from({ length: orders }, (_, index) => `race ${keccak256(generatePrivateKey())} ${index}`)
  const pairs = await Promise.all(
    ids.map(async (purchaseId) => [
      await attempt(first, alice, { purchaseId, cents: 100 }),
      await attempt(second, alice, { purchaseId, cents: 100, blockchain: 'arbitrum' }),
    ]),
  )
  const answers = await Promise.all(
    pairs.map(
      ([one, other]) => Promise.all([submit(first, one as Attempt), submit(second, other as Attempt)]), // Two of each.
    ),
  )
  for (const [index, both] of answers.entries()) {
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body.code).toMatch(/^ORDER_/)
    const purchaseId = ids[index] ?? ''
    const count = async () =>
      (await redeemedOf(purchaseId, 'base')).length + (await redeemedOf(purchaseId, 'arbitrum')).length
    await expect.poll(count, { timeout: 10_000 }).toBe(1)
  }
}

onPostgres(({ create }) => {
  test('on two chains, by two processes with separate connections: only one pays', async () => {
    const { databaseUrl = '' } = await create()
    await race(await service({ databaseUrl }), await service({ databaseUrl }), 8)
  })
})

describe('a claim ends', () => {
  /** Returns an attempt on Base whose transaction reverts in its block. */
  async function reverted(on: Caller, account: PrivateKeyAccount, purchaseId: string): Promise<Attempt> {
    const one = await attempt(on, account, { purchaseId })
    await chains.base.rpc('evm_setAutomine', [false])
    expect((await submit(on, one)).status).toBe(200)
    const { creditsContract } = chainOf('base')
    const credits = await readCredits(chainOf('base'), lender.creditSeed, account.address)
    const bank = devAccount('bank').account.address
    await chains.base.rpc('anvil_impersonateAccount', [bank])
    await chains.base.rpc('eth_sendTransaction', [
      {
        from: bank,
        to: creditsContract,
        data: encodeFunctionData({
          abi: creditsAbi,
          functionName: 'burn',
          args: [lender.creditSeed, account.address, credits],
        }),
        gas: '0x7a120',
        maxFeePerGas: '0xe8d4a51000',
        maxPriorityFeePerGas: '0x0',
      },
    ])
    await mine('base', 1)
    await chains.base.rpc('evm_setAutomine', [true])
    const status = async () =>
      (await toStore(store).database.select().from(redeems)).find(({ nonce }) => nonce === one.body.nonce)
        ?.status
    await expect.poll(status, { timeout: 10_000 }).toBe('reverted')
    await lender.mintCredits({ wallet: account.address, cents: 5_000, blockchain: 'base' })
    return one
  }

  test('when the permit’s last second has reached the confirmation depth, but not after a revert', async () => {
    const on = await service({ confirmations: 2 })
    const alice = await wallet()
    const purchaseId = 'order that reverts'
    const one = await reverted(on, alice, purchaseId)
    const other = await attempt(on, alice, { purchaseId, blockchain: 'arbitrum' })
    await mine('base', 5)
    expect(await submit(on, other)).toMatchObject(refused('ORDER_UNDERWAY', { nonce: one.body.nonce }))
    const end = Number(one.body.validBefore)
    await chains.base.rpc('evm_setNextBlockTimestamp', [end - 1])
    await mine('base', 5)
    await chains.base.rpc('evm_setNextBlockTimestamp', [Math.max(end, await timeOf('base')) + 1])
    for (let block = 0; block < 2; block++) {
      await mine('base', 1)
      expect(await submit(on, other), `${block} blocks on top`).toMatchObject(refused('ORDER_UNDERWAY'))
    }
    await mine('base', 1)
    expect((await submit(on, other)).status).toBe(200)
    await expect.poll(() => redeemedOf(purchaseId, 'arbitrum'), { timeout: 10_000 }).toHaveLength(1)
    // The same with the chains swapped.
    const late = await attempt(on, alice, { purchaseId })
    expect(await submit(on, late)).toMatchObject(refused('ORDER_ALREADY_PAID', { blockchain: 'arbitrum' }))
  })

  test('never for the same attempt, which can be sent again', async () => {
    const on = await service()
    const alice = await wallet()
    const purchaseId = 'order that is sent again'
    const one = await reverted(on, alice, purchaseId)
    expect((await submit(on, one)).status).toBe(200)
    await expect.poll(() => redeemedOf(purchaseId, 'base'), { timeout: 10_000 }).toHaveLength(1)
  })

  test('when a cancellation has reached the confirmation depth: the order is cancelled there and can be paid elsewhere', async () => {
    const on = await service({ confirmations: 2 })
    const alice = await wallet()
    const purchaseId = 'order that is cancelled'
    const one = await reverted(on, alice, purchaseId)
    const elsewhere = await attempt(on, alice, { purchaseId, blockchain: 'arbitrum' })
    const again = await attempt(on, alice, { purchaseId, cents: 900 })
    const { creditsContract } = chainOf('base')
    const hash = await chains.base.client.readContract({
      address: creditsContract,
      abi: creditsAbi,
      functionName: 'hashCancelCreditsAuthorization',
      args: [alice.address, one.body.nonce],
    })
    const signature = await alice.sign({ hash })
    await chains.base.call(creditsContract, creditsAbi, 'cancelCreditsAuthorization', [
      alice.address,
      one.body.nonce,
      signature,
    ])
    expect(await submit(on, elsewhere)).toMatchObject(refused('ORDER_UNDERWAY'))
    for (const same of [one, again])
      expect(await submit(on, same)).toMatchObject(refused('ORDER_CANCELLED', { blockchain: 'base' }))
    await mine('base', 2)
    expect(await submit(on, again)).toMatchObject(refused('ORDER_CANCELLED'))
    expect((await submit(on, elsewhere)).status).toBe(200)
    expect(await redeemedOf(purchaseId, 'base')).toEqual([])
    // The order has been paid by now.
    expect((await submit(on, again)).body.message).not.toContain('Nothing was paid')
  })
})

const timeOf = async (blockchain: Blockchain) =>
  Number((await chains[blockchain].client.getBlock({ blockTag: 'latest' })).timestamp)

describe('redeem.redeemed', () => {
  let shared: typeof store
  beforeEach(async () => {
    shared = store
    store = await openStore()
  })
  afterEach(async () => {
    await stopServices()
    await store.close()
    store = shared
  })

  test('reports a redeem relayed by a third party once, with the event’s data and the customer’s', async () => {
    const [on, twin] = [await service(), await service()]
    const alice = await wallet()
    const purchaseId = 'order of a stranger'
    const one = await attempt(on, alice, { purchaseId, webhookInfo: { cart: ['book'] } })
    const { transactionHash } = await relayByStranger(one)
    await expect.poll(() => eventsOf(on), { timeout: 10_000 }).toHaveLength(1)
    const [row] = await redeemedOf(purchaseId, 'base')
    const [event] = await eventsOf(on)
    const { creditsContract, chainId } = chainOf('base')
    expect(event?.data).toEqual({
      merchantId: lender.merchantId,
      wallet: alice.address,
      blockchain: 'base',
      chainId,
      creditsContract,
      creditSeed: lender.creditSeed,
      nonce: one.body.nonce,
      orderKey: orderKey({ merchantId: lender.merchantId, purchaseId }),
      kind: 'token',
      receiver: lender.accounts.bob.address,
      amount: '10000000',
      usdcAmount: '0',
      charged: '10000000',
      refunded: '0',
      gasFee: '0',
      hash: transactionHash,
      blockNumber: Number(row?.blockNumber),
      logIndex: row?.logIndex,
      purchaseId,
      webhookInfo: { cart: ['book'] },
    })
    // The claim is closed on every chain, although this service received no submission.
    expect(await submit(on, await attempt(on, alice, { purchaseId, blockchain: 'arbitrum' }))).toMatchObject(
      refused('ORDER_ALREADY_PAID', { hash: transactionHash, nonce: one.body.nonce }),
    )
    expect(await submit(twin, one)).toMatchObject({ status: 200, body: { hash: transactionHash } })
    expect(await eventsOf(on, 'redeem.sent')).toEqual([])
    await mine('base', 3)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await eventsOf(on)).toHaveLength(1)
  })

  test('goes to the merchant whose seed was charged, and does not pay the order of that nonce', async () => {
    const other = { merchantId: 'other shop', apiKey: 'the key of the other shop' }
    const on = await service({ others: [other] })
    const alice = await wallet()
    await lender.mintCredits({ wallet: alice.address, cents: 5_000, creditSeed: other.merchantId })
    const purchaseId = 'order under another seed'
    const one = await attempt(on, alice, { purchaseId })
    await relayByStranger(one, other.merchantId)
    const refusal = refused('ORDER_ALREADY_PAID', { nonce: one.body.nonce, fits: false })
    expect(await submit(on, one)).toMatchObject(refusal)
    await expect
      .poll(() => eventsOf(on, 'redeem.redeemed', other.apiKey), { timeout: 10_000 })
      .toHaveLength(1)
    expect(await submit(on, one)).toMatchObject(refusal)
    expect(await eventsOf(on)).toEqual([])
  })

  test('follows redeem.sent for the service’s own redeems, with a USDC part and a fee', async () => {
    const on = await service()
    const alice = await wallet()
    await lender.mintUsdc({ wallet: alice.address, cents: 1_000, blockchain: 'base' })
    const purchaseId = 'order with USDC'
    const one = await attempt(on, alice, { purchaseId, usdcCents: 400 })
    const { body } = await submit(on, one)
    await expect.poll(() => eventsOf(on), { timeout: 10_000 }).toHaveLength(1)
    const [event] = await eventsOf(on)
    const data = (event?.data ?? {}) as Record<string, string> // From decimal text.
    const { amount, usdcAmount, gasFee, charged, hash } = data
    expect({ amount, usdcAmount, hash }).toEqual({
      amount: '10000000',
      usdcAmount: '4000000',
      hash: body.hash,
    })
    expect(BigInt(gasFee ?? 0)).toBeGreaterThan(0n)
    expect(BigInt(charged ?? 0)).toBe(6_000_000n + BigInt(gasFee ?? 0))
    expect(await eventsOf(on, 'redeem.sent')).toMatchObject([
      { data: { orderKey: orderKey({ merchantId: lender.merchantId, purchaseId }), purchaseId } },
    ])
  })

  test('is not sent before the confirmation depth, nor for a block that is replaced before then', async () => {
    const on = await service({ confirmations: 3 })
    const [alice, carol] = [await wallet(), await wallet()]
    const gone = await attempt(on, alice, { purchaseId: 'order in a lost block' })
    const kept = await attempt(on, carol, { purchaseId: 'order in a kept block' })
    const snapshot = await chains.base.rpc('evm_snapshot', [])
    await relayByStranger(gone)
    await mine('base', 2)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await eventsOf(on)).toEqual([])
    await chains.base.rpc('evm_revert', [snapshot])
    const { transactionHash } = await relayByStranger(kept)
    await mine('base', 2)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await eventsOf(on)).toEqual([])
    await mine('base', 1)
    await expect.poll(() => eventsOf(on), { timeout: 10_000 }).toHaveLength(1)
    await mine('base', 10)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await eventsOf(on)).toMatchObject([{ data: { hash: transactionHash } }])
  })

  test('is sent once if a chain that reorganized below the confirmation depth is read again', async () => {
    const on = await service()
    const [alice, carol] = [await wallet(), await wallet()]
    const one = await attempt(on, alice, { purchaseId: 'order before' })
    const other = await attempt(on, carol, { purchaseId: 'order after' })
    const before = await relayByStranger(one)
    await expect.poll(() => eventsOf(on), { timeout: 10_000 }).toHaveLength(1)
    const snapshot = await chains.base.rpc('evm_snapshot', [])
    await mine('base', 3)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await chains.base.rpc('evm_revert', [snapshot])
    const after = await relayByStranger(other)
    const hashes = async () =>
      (await eventsOf(on)).map(({ data }) => (data as { hash?: string }).hash).reverse() // Of the event.
    await expect.poll(hashes, { timeout: 10_000 }).toEqual([before.transactionHash, after.transactionHash])
    await mine('base', 10)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await hashes()).toEqual([before.transactionHash, after.transactionHash])
  })

  test.each(['while no service ran', 'before the service could begin to follow'])(
    'is sent for a redeem %s',
    async (when) => {
      const on = await service()
      const alice = await wallet()
      const one = await attempt(on, alice, { purchaseId: 'order of the night' })
      await Promise.all(services.splice(0).map((sandbox) => sandbox.stop()))
      if (when !== 'while no service ran') await toStore(store).database.delete(eventCursors)
      const { transactionHash } = await relayByStranger(one)
      await mine('base', 3)
      const again = await service()
      await expect
        .poll(() => eventsOf(again), { timeout: 10_000 })
        .toMatchObject([{ data: { hash: transactionHash } }])
    },
  )

  test('reads only the newest block of an idle chain, once a second', async () => {
    const counted: string[] = []
    const sandbox = createSandbox({
      store: async () => ({ ...store, close: async () => {} }),
      merchants: [{ merchantId: lender.merchantId, apiKey }],
      chains: [
        {
          ...lentChain(lender),
          transport: custom({
            request: ({ method, params }) => {
              counted.push(method)
              return chains.base.rpc(method, params)
            },
          }),
        },
      ],
    })
    services.push(sandbox)
    await sandbox.start()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    counted.length = 0
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(new Set(counted)).toEqual(new Set(['eth_getBlockByNumber']))
    expect(counted.length).toBeLessThanOrEqual(4)
    counted.length = 0
    await mine('base', 1)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(counted.filter((method) => method === 'eth_getLogs')).toHaveLength(1)
    expect(counted.length).toBeLessThanOrEqual(4)
  })
})

describe('USDC', () => {
  const owner = devAccount('USDC owner').account.address
  const usdc = (name: string, args: readonly unknown[] = []) =>
    chains.base.call(chainOf('base').usdc, mockUsdcAbi, name, args, owner)

  test('blocks a customer: the service sends nothing for that customer', async () => {
    const on = await service()
    const alice = await wallet()
    const one = await attempt(on, alice, { purchaseId: 'order of a blocked wallet' })
    await usdc('blacklist', [alice.address])
    try {
      const blocked = { status: 423, body: { code: 'CUSTOMER_BLOCKED' } }
      expect(await submit(on, one)).toMatchObject(blocked)
      const request = {
        merchantId: lender.merchantId,
        subtotal: { cents: 100 },
        transactionData: { type: 'token', destination: lender.accounts.bob.address },
      }
      expect(await on.post(creditsAuthMsgPath, request, customer(alice.address))).toMatchObject(blocked)
    } finally {
      await usdc('unBlacklist', [alice.address])
    }
    expect((await submit(on, one)).status).toBe(200)
  })

  test('is paused: both calls report the pause, and that nothing was paid', async () => {
    const on = await service()
    const alice = await wallet()
    const one = await attempt(on, alice, { purchaseId: 'order during a pause' })
    await usdc('pause')
    try {
      const paused = {
        status: 503,
        body: { code: 'UNAVAILABLE', message: expect.stringMatching(/USDC is paused.*nothing was paid/) },
      }
      expect(await submit(on, one)).toMatchObject(paused)
      const request = {
        merchantId: lender.merchantId,
        subtotal: { cents: 100 },
        transactionData: { type: 'token', destination: lender.accounts.bob.address },
      }
      expect(await on.post(creditsAuthMsgPath, request, customer(alice.address))).toMatchObject(paused)
    } finally {
      await usdc('unpause')
    }
    expect((await submit(on, one)).status).toBe(200)
  })

  test('a transfer authorization with an intent-bound permit is refused', async () => {
    const on = await service()
    const alice = await wallet()
    await lender.mintUsdc({ wallet: alice.address, cents: 1_000, blockchain: 'base' })
    const one = await attempt(on, alice, { purchaseId: 'order with a transfer', usdcCents: 400 })
    const given = one.body.signedMessages.customerUsdcAuthDataV2 ?? expect.fail()
    const { signature: _, ...message } = given
    const typedData = usdcAuthorizationTypedData({
      chainId: chainOf('base').chainId,
      type: 'TransferWithAuthorization',
      authorization: {
        from: message.from,
        to: message.to,
        nonce: message.nonce,
        value: BigInt(message.value),
        validAfter: BigInt(message.validAfter),
        validBefore: BigInt(message.validBefore),
      },
    })
    const signature = await alice.signTypedData(typedData as never) // The typed data as redeemkit builds it.
    const signedMessages = { ...one.body.signedMessages, customerUsdcAuthDataV2: { ...given, signature } }
    expect(await submit(on, { ...one, body: { ...one.body, signedMessages } })).toMatchObject({
      status: 412,
      body: {
        code: 'INVALID_USDC_AUTHORIZATION',
        message: expect.stringContaining('ReceiveWithAuthorization'),
      },
    })
    expect((await submit(on, one)).status).toBe(200)
  })
})
