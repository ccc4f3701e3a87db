import { encodeAbiParameters, encodeEventTopics, getAbiItem, parseTransaction } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { redeemBatchCall } from '../contracts/creditsCalls.ts'
import { type RedeemRequest, redeemCall } from '../simulation/redeemRequest.ts'
import { bridgeMessages, redeems, transactions } from '../store/tables/index.ts'
import { createPauses } from './createLoop.ts'
import type { Relayer } from './createRelayer.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import {
  adapter,
  bridgeRequested,
  credits,
  evmChainOf,
  nonceOf,
  noteRedeem,
  operator,
  redeem,
  redeemStates,
  relayerOf,
  rowsOf,
  senderOf,
  testStore,
  wallet,
} from './relayer.fixture.ts'
import { sendAlone } from './sendAlone.ts'

const batch = { kind: 'batch', blockchain: 'base', id: 'one' } as const
const store = testStore()
let fake: ReturnType<typeof fakeNode>
let time: number
let errors: unknown[]
let pauses: ReturnType<typeof createPauses>
const now = () => time

beforeEach(() => {
  fake = fakeNode()
  time = 1_000_000
  errors = []
  pauses = createPauses(now)
})

/** A request to redeem a token, by number. */
const requestOf = (number: number): RedeemRequest => ({
  permit: {
    customerWallet: wallet,
    creditSeed: 'shop',
    amount: 1n,
    validBefore: 1n,
    nonce: nonceOf(number),
    signature: '0x12',
  },
  intent: { amount: 1n, usdcAmount: 0n, salt: nonceOf(1) },
  settlement: {
    kind: 0,
    target: wallet,
    data: '0x',
    nftContract: wallet,
    nftId: 0n,
    bridge: { dstChainId: 0n, dstToken: wallet, isNative: false, cost: 0n },
  },
  usdcAuthorization: { method: 0, signature: '0x' },
  gasFee: 0n,
})
const callOf = (number: number) => redeemCall({ creditsContract: credits }, requestOf(number)).data

const relayer = (chain = fake.chain) => relayerOf(store.database, { chain, now }, { pollIntervalMs: 1 })
const sender = (chain = fake.chain) => senderOf(store.database, { chain, now })
const pass = async (options: Partial<sendAlone.Options> = {}) =>
  sendAlone(store.database, {
    relayer: await sender(),
    pauses,
    chains: new Map([['base', evmChainOf(fake.chain)]]),
    now,
    onError: (error) => errors.push(error),
    ...options,
  })

/** Sends redeems in one batch, after a redeem of another wallet that has the same nonce as the last of them. */
async function sendBatch(...numbers: number[]) {
  const last = requestOf(numbers.at(-1) ?? 0)
  const other = { ...last, permit: { ...last.permit, customerWallet: operator.address } }
  const call = redeemBatchCall(
    { creditsContract: credits },
    [other, ...numbers.map(requestOf)].map((request) => ({ request, gas: 100_000n })),
  )
  return (await sender()).send({
    chainId: fake.chain.chainId,
    account: operator,
    reference: batch,
    request: { ...call, gas: 1_000_000n },
    also: async (work, { hash }) => {
      for (const number of numbers) await noteRedeem(work, { nonce: nonceOf(number), hash })
    },
  })
}

/** The `Redeemed` event of a redeem. */
function redeemed(number: number, address = credits) {
  const [abi, eventName] = [creditsAbi, 'Redeemed'] as const
  const args = {
    customerWallet: wallet,
    orderKey: `0x${'00'.repeat(12)}`,
    creditSeedHash: nonceOf(0),
  } as const
  return {
    address,
    topics: encodeEventTopics({ abi, eventName, args }),
    data: encodeAbiParameters(
      getAbiItem({ abi, name: eventName }).inputs.filter(({ indexed }) => !indexed),
      [nonceOf(number), 0n, 0n, 0n],
    ),
  }
}

/** Mines the pool, and closes the last row as the relayer does. */
async function mine(status: 'success' | 'reverted', logs: object[] = []) {
  fake.node.mine({ status, logs })
  return closeLast()
}
async function closeLast() {
  const following = relayer()
  await following.wait({ id: (await rowsOf(store.database)).at(-1)?.id ?? 0 })
  await following.stop()
}
const states = async () =>
  Object.fromEntries(
    Object.entries(await redeemStates(store.database)).map(([nonce, state]) => [
      Number(nonce),
      state.split(' ')[0],
    ]),
  )

describe('the redeems of a batch', () => {
  test.each<[string, 'success' | 'reverted', object[], Record<number, string>]>([
    ['are redeemed', 'success', [redeemed(1), redeemed(2)], { 1: 'redeemed', 2: 'redeemed' }],
    ['are sent alone if they failed', 'success', [redeemed(2)], { 1: 'alone', 2: 'redeemed' }],
    ['are sent alone if all failed', 'success', [], { 1: 'alone', 2: 'alone' }],
    [
      'are sent alone without an event of the credits contract',
      'success',
      [redeemed(1, adapter)],
      { 1: 'alone', 2: 'alone' },
    ],
    ['are reverted with it', 'reverted', [redeemed(1), redeemed(2)], { 1: 'reverted', 2: 'reverted' }],
  ])('%s', async (_, status, logs, expected) => {
    await sendBatch(1, 2)
    await noteRedeem(store.database, { nonce: nonceOf(3), hash: nonceOf(3) })
    time += 5
    await mine(status, logs)
    // A redeem of a different transaction is not changed.
    expect(await states()).toEqual({ ...expected, 3: 'sending' })
    const moments = (await store.database.select().from(redeems)).map(({ updatedAt }) => updatedAt.getTime())
    expect(moments.sort()).toEqual([0, time, time])
  })

  test('are reverted if another transaction used the batch’s nonce', async () => {
    await sendBatch(1, 2)
    fake.node.useNonce(operator.address)
    time += 5_000
    await closeLast()
    expect(await states()).toEqual({ 1: 'reverted', 2: 'reverted' })
  })
})

describe('a redeem with its own transaction', () => {
  const event = bridgeRequested({ nonce: nonceOf(1) })
  test.each([
    ['decent', 'success', 'redeemed', [{ messageId: nonceOf(1), destinationChainId: 10, status: 'pending' }]],
    ['decent', 'reverted', 'reverted', []],
    // The merchant's code was called, and it may emit such an event.
    ['normal', 'success', 'redeemed', []],
  ] as const)('ends together with its bridge messages: %s, %s', async (shape, status, state, messages) => {
    await (await sender()).send({
      chainId: fake.chain.chainId,
      account: operator,
      reference: redeem(nonceOf(1)),
      request: { to: credits, data: '0x12', gas: 50_000n },
      also: (work, { hash }) => noteRedeem(work, { nonce: nonceOf(1), hash, shape }),
    })
    await mine(status, [event, bridgeRequested({ nonce: nonceOf(2) })])
    expect(await states()).toEqual({ 1: state })
    expect(await store.database.select().from(bridgeMessages)).toMatchObject(messages)
  })
})

describe('a redeem that failed in a batch', () => {
  beforeEach(async () => {
    await sendBatch(2, 1)
    await mine('success', [redeemed(2)])
  })

  test('is sent once, in its own transaction, with a quarter more gas than estimated', async () => {
    fake.node.estimate = (data) => (data === callOf(1) ? 100_000n : 0n)
    time += 7
    expect(await pass()).toBe(true)
    const row = (await rowsOf(store.database)).at(-1)
    expect(row?.reference).toEqual(redeem(nonceOf(1), 2))
    expect(parseTransaction(row?.raw ?? '0x')).toMatchObject({ to: credits, data: callOf(1), gas: 145_000n })
    expect(await store.database.select().from(redeems)).toContainEqual(
      expect.objectContaining({
        nonce: nonceOf(1),
        status: 'sending',
        attempt: 2,
        hash: row?.hash,
        updatedAt: new Date(time),
      }),
    )
    expect((await states())[2]).toBe('redeemed')
    expect(await pass()).toBe(false)
    await mine('success')
    expect(await states()).toEqual({ 1: 'redeemed', 2: 'redeemed' })
    expect(errors).toEqual([])
  })

  test('is marked as reverted, without a transaction, if it would fail again', async () => {
    fake.node.estimate = () => {
      throw Object.assign(new Error('execution reverted'), { code: 3, data: '0x12345678' })
    }
    time += 7
    expect(await pass()).toBe(true)
    expect(await states()).toEqual({ 1: 'reverted', 2: 'redeemed' })
    expect(await rowsOf(store.database)).toHaveLength(1)
    expect((await store.database.select().from(redeems)).map(({ updatedAt }) => updatedAt)).toContainEqual(
      new Date(time),
    )
  })

  test('stays due while the node does not respond', async () => {
    const answer = fake.node.estimate
    fake.node.estimate = () => {
      throw new Error('the node is down')
    }
    for (const [ms, failures] of [
      [0, 1],
      [399, 1],
      [1, 2],
      [799, 2],
    ] as const) {
      time += ms
      expect(await pass()).toBe(true)
      expect(errors).toHaveLength(failures)
    }
    expect(await states()).toEqual({ 1: 'alone', 2: 'redeemed' })
    fake.node.estimate = answer
    time += 1
    await pass()
    expect(await states()).toEqual({ 1: 'sending', 2: 'redeemed' })
    expect(pauses.has(`alone/base/${wallet}/${nonceOf(1)}`)).toBe(false)
  })

  test('on an unsupported chain is unchanged and not due', async () => {
    expect(await pass({ chains: new Map() })).toBe(false)
    expect(await states()).toEqual({ 1: 'alone', 2: 'redeemed' })
  })

  test('gets the state reverted if the journal has lost its batch', async () => {
    await store.database.delete(transactions)
    await pass()
    expect(await states()).toEqual({ 1: 'reverted', 2: 'redeemed' })
  })

  test('is sent once if two processes try', async () => {
    await Promise.all([pass(), pass()])
    expect(await rowsOf(store.database)).toHaveLength(2)
    expect((await store.database.select().from(redeems)).map(({ attempt }) => attempt).sort()).toEqual([1, 2])
  })

  test('is not changed by a process with an outdated row', async () => {
    const send: Relayer['send'] = async ({ also }) => {
      // Meanwhile another process has sent the redeem, and it failed again.
      await store.database.update(redeems).set({ status: 'alone', attempt: 5 })
      const [row] = await rowsOf(store.database)
      if (row === undefined) throw new Error('The journal is empty.')
      await store.database.transaction((work) => also?.(work, row) ?? Promise.resolve())
      return row
    }
    await pass({ relayer: { ...(await sender()), send } })
    expect((await store.database.select().from(redeems)).map(({ attempt }) => attempt)).toEqual([5, 5])
  })

  test('does not delay other redeems', async () => {
    await noteRedeem(store.database, { nonce: nonceOf(4), hash: nonceOf(4), status: 'alone' })
    fake.node.estimate = () => {
      throw new Error('the node is down')
    }
    await pass()
    expect((await states())[4]).toBe('reverted')
    expect(errors).toHaveLength(1)
  })
})
