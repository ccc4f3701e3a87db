import { encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex, parseTransaction } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { bridgeAdapterAbi } from '../../../contracts/generated/BridgeAdapter.ts'
import { bridgeMessages, transactions } from '../store/tables/index.ts'
import { recallForgotten } from './broadcast.ts'
import { carryMessages } from './carryMessages.ts'
import { createPauses } from './createLoop.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import {
  adapter,
  bridgeRequested,
  evmChainOf,
  nonceOf,
  operator,
  relayerOf,
  rowsOf,
  senderOf,
  testStore,
  wallet,
} from './relayer.fixture.ts'

const sourceChainId = 11_155_111
const store = testStore()
let fake: ReturnType<typeof fakeNode>
let source: ReturnType<typeof fakeNode>
let confirmations: number
let time: number
let errors: unknown[]
let pauses: ReturnType<typeof createPauses>
/** Ids of the messages that the adapter has executed. */
let executed: Hex[]
const now = () => time

beforeEach(() => {
  fake = fakeNode()
  source = fakeNode()
  confirmations = 0
  executed = []
  fake.node.call = (data) =>
    encodeAbiParameters([{ type: 'bool' }], [executed.some((id) => data.endsWith(id.slice(2)))])
  time = 1_000_000
  errors = []
  pauses = createPauses(now)
})

const relayer = () => relayerOf(store.database, { chain: fake.chain, now }, { pollIntervalMs: 1 })
const carry = async () =>
  carryMessages(store.database, {
    relayer: await senderOf(store.database, { chain: fake.chain, now }),
    pauses,
    sourceOf: (chainId) =>
      chainId === sourceChainId
        ? evmChainOf(source.chain, {
            confirmations,
            destinations: new Map([[10, { ...fake.chain, bridgeAdapter: adapter, operator }]]),
          })
        : undefined,
    onError: (error) => errors.push(error),
  })
const deliveryOf = (number: number): Hex => `0x${'ab'.repeat(number)}`
/** A mined redeem that pays for one message on the source chain, or a batch that pays for several. */
const pay = (...numbers: number[]) =>
  source.node.useNonce(
    operator.address,
    numbers.map((number) => bridgeRequested({ nonce: nonceOf(number) })),
  )
const note = (number: number, destinationChainId = 10, sourceHash = pay(number)) =>
  store.database.insert(bridgeMessages).values({
    sourceChainId,
    messageId: nonceOf(number),
    wallet,
    nonce: nonceOf(number),
    destinationChainId,
    delivery: deliveryOf(number),
    status: 'pending',
    sourceHash,
    createdAt: new Date(time),
  })
const messages = async () =>
  Object.fromEntries(
    (await store.database.select().from(bridgeMessages)).map((one) => [Number(one.messageId), one.status]),
  )
const sent = async () =>
  (await rowsOf(store.database)).map(({ reference, raw }) => ({
    reference,
    data: parseTransaction(raw).data,
  }))
const deliveryReference = (number: number, attempt = 1) => ({
  kind: 'bridge' as const,
  sourceChainId,
  messageId: nonceOf(number),
  attempt,
})

/** The `BridgeExecuted` event of a message. */
function bridgeExecuted(number: number, success: boolean, address = adapter) {
  const [abi, eventName] = [bridgeAdapterAbi, 'BridgeExecuted'] as const
  return {
    address,
    topics: encodeEventTopics({ abi, eventName, args: { id: nonceOf(number), customer: wallet } }),
    data: encodeAbiParameters(
      getAbiItem({ abi, name: eventName }).inputs.filter(({ indexed }) => !indexed),
      [success, 0n, '0x'],
    ),
  }
}
/** Mines the pending delivery, and closes its row as the relayer does. */
async function mine(status: 'success' | 'reverted', logs: object[] = []) {
  const last = (await rowsOf(store.database)).at(-1)
  fake.node.mine({ status, logs })
  const following = relayer()
  await following.wait({ id: last?.id ?? 0 })
  await following.stop()
}

test('delivers a message once, to the adapter of its destination', async () => {
  await note(1)
  fake.node.estimate = (data) => (data === deliveryOf(1) ? 100_000n : 0n)
  expect(await carry()).toBe(true)
  const [row] = await rowsOf(store.database)
  expect(row?.reference).toEqual(deliveryReference(1))
  expect(parseTransaction(row?.raw ?? '0x')).toMatchObject({
    to: adapter,
    data: deliveryOf(1),
    // One and a half times the estimate, plus 300,000.
    gas: 450_000n,
  })
  expect(fake.node.pool()).toEqual([row?.hash])
  // While the delivery is pending, the message is neither due nor sent again.
  expect(await carry()).toBe(false)
  expect(await sent()).toHaveLength(1)
  expect(errors).toEqual([])
})

test('limits a delivery’s gas to the maximum that nodes accept', async () => {
  await note(1)
  fake.node.estimate = () => 15_000_000n
  await carry()
  const [row] = await rowsOf(store.database)
  expect(parseTransaction(row?.raw ?? '0x').gas).toBe(16_777_216n)
})

test('several messages of one batch are delivered in one pass', async () => {
  const hash = pay(1, 2)
  await note(1, 10, hash)
  await note(2, 10, hash)
  await carry()
  expect((await sent()).map(({ data }) => data).sort()).toEqual([deliveryOf(1), deliveryOf(2)])
})

test.each([
  ['executed', [bridgeExecuted(1, true)]],
  ['claimable', [bridgeExecuted(1, false)]],
  // Events of the called target, and of another message, are ignored.
  ['claimable', [bridgeExecuted(1, true, wallet), bridgeExecuted(2, true), bridgeExecuted(1, false)]],
  ['pending', [bridgeExecuted(1, true, wallet)]],
])('a mined delivery sets the status %s of its own message only', async (status, logs) => {
  await note(1)
  await carry()
  await note(2, 11)
  await mine('success', logs)
  expect(await messages()).toEqual({ 1: status, 2: 'pending' })
  const [delivery] = await rowsOf(store.database)
  const hashes = (await store.database.select().from(bridgeMessages)).map(({ hash }) => hash)
  expect(new Set(hashes)).toEqual(new Set([status === 'pending' ? null : delivery?.hash, null]))
  expect(await carry()).toBe(false)
  expect(await sent()).toHaveLength(1)
})

test('a reverted delivery is retried as the next attempt, unless an attempt is pending', async () => {
  await note(1)
  await carry()
  await mine('reverted', [bridgeExecuted(1, true)])
  expect(await messages()).toEqual({ 1: 'pending' })
  expect(await carry()).toBe(true)
  expect(await carry()).toBe(false)
  expect((await sent()).map(({ reference }) => reference)).toEqual([
    deliveryReference(1),
    deliveryReference(1, 2),
  ])
})

test('a delivery that a reorg removed becomes pending again, and is retried if it fails', async () => {
  await note(1)
  await carry()
  await mine('success', [bridgeExecuted(1, true)])
  fake.node.forgetAfter(0)
  await recallForgotten(store.database, { chains: new Map([[fake.chain.chainId, fake.chain]]), now })
  expect(await messages()).toEqual({ 1: 'pending' })
  expect(await carry()).toBe(false)
  await mine('reverted')
  expect(await carry()).toBe(true)
  await mine('success', [bridgeExecuted(1, false)])
  expect(await messages()).toEqual({ 1: 'claimable' })
})

test('a delivery whose nonce another transaction used is sent again', async () => {
  await note(1)
  await carry()
  fake.node.useNonce(operator.address)
  await store.database.update(transactions).set({ status: 'dropped' })
  expect(await carry()).toBe(true)
  expect(await sent()).toHaveLength(2)
})

test('a message that a third party delivered is recorded as executed without a transaction', async () => {
  await note(1)
  await note(2, 11)
  executed = [nonceOf(1)]
  expect(await carry()).toBe(false)
  expect([await messages(), await sent()]).toEqual([{ 1: 'executed', 2: 'pending' }, []])
})

test('a message waits until the redeem that paid for it has enough confirmations', async () => {
  confirmations = 2
  await note(1)
  source.node.mineEmpty(1)
  expect([await carry(), await sent()]).toEqual([true, []])
  source.node.mineEmpty(1)
  time += 400
  expect(await carry()).toBe(true)
  expect(await sent()).toHaveLength(1)
  expect(errors).toEqual([])
})

test('a message is not delivered if a reorg removed its redeem or changed its message', async () => {
  await note(1)
  source.node.forgetAfter(0)
  expect([await carry(), await sent(), await messages()]).toEqual([true, [], { 1: 'pending' }])
  await store.database.update(bridgeMessages).set({ sourceHash: pay(2) })
  time += 400
  expect([await carry(), await sent()]).toEqual([true, []])
  await store.database.update(bridgeMessages).set({ sourceHash: pay(1) })
  time += 800
  await carry()
  expect(await sent()).toHaveLength(1)
  expect(errors).toEqual([])
})

test('a message to an unsupported chain stays pending and is not due', async () => {
  await note(1, 11)
  expect([await carry(), await messages(), await sent()]).toEqual([false, { 1: 'pending' }, []])
})

describe('a delivery that would fail, for example without liquidity,', () => {
  beforeEach(async () => {
    await note(1)
    fake.node.estimate = (data) => {
      if (data === deliveryOf(1)) throw new Error('no liquidity')
      return 100_000n
    }
  })

  test('stays due while other messages are delivered', async () => {
    await note(2)
    expect(await carry()).toBe(true)
    expect((await sent()).map(({ data }) => data)).toEqual([deliveryOf(2)])
    expect(errors).toHaveLength(1)
  })

  test('is retried after 0.4 seconds; a success resets the pause to 0.4 seconds', async () => {
    for (const [ms, failures] of [
      [0, 1],
      [399, 1],
      [1, 2],
    ] as const) {
      time += ms
      expect(await carry()).toBe(true)
      expect(errors).toHaveLength(failures)
    }
    const { estimate } = fake.node
    fake.node.estimate = () => 100_000n
    time += 800
    await carry()
    await mine('reverted')
    fake.node.estimate = estimate
    for (const [ms, failures] of [
      [0, 3],
      [399, 3],
      [1, 4],
    ] as const) {
      time += ms
      await carry()
      expect(errors).toHaveLength(failures)
    }
  })

  test('has no pause any more once a third party has made it', async () => {
    await carry()
    time += 400
    executed = [nonceOf(1)]
    expect(await carry()).toBe(false)
    expect(pauses.has(nonceOf(1))).toBe(false)
  })
})

test('a message that failed 20 times is reported, and not sent again', async () => {
  await note(1)
  await carry()
  const [row] = await rowsOf(store.database)
  if (row === undefined) throw new Error('The message was not sent.')
  const { id: _, ...first } = row
  const again = (attempt: number) => ({ ...first, nonce: attempt, reference: deliveryReference(1, attempt) })
  await store.database.insert(transactions).values(Array.from({ length: 18 }, (_, at) => again(at + 2)))
  await store.database.update(transactions).set({ status: 'reverted' })
  expect(await carry()).toBe(true)
  expect((await sent()).at(-1)?.reference).toEqual(deliveryReference(1, 20))
  await store.database.update(transactions).set({ status: 'reverted' })
  expect(await carry()).toBe(true)
  expect(errors).toMatchObject([{ name: 'BridgeStuckError', message: expect.stringContaining(nonceOf(1)) }])
  expect(await sent()).toHaveLength(20)
})
