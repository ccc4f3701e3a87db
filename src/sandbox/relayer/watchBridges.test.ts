import { encodeAbiParameters, zeroAddress } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Destination, EvmChain } from '../chains/evmChain.ts'
import { bridgeMessages } from '../store/tables/index.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import {
  adapter,
  bridgeRequested,
  evmChainOf,
  nonceOf,
  operator,
  testStore,
  wallet,
} from './relayer.fixture.ts'
import { watchBridges } from './watchBridges.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
let time: number
let errors: unknown[]
let woken: number

beforeEach(() => {
  fake = nodeWith(adapter)
  time = 1_000_000
  errors = []
  woken = 0
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const addressWord = (address: `0x${string}`) => encodeAbiParameters([{ type: 'address' }], [address])

/** A node whose credits contract returns this bridge adapter. */
function nodeWith(address: `0x${string}`) {
  const one = fakeNode()
  one.node.call = () => addressWord(address)
  return one
}

const destinations = new Map([[10, {} as Destination]]) // only the number of destinations matters here
const source = (more: Partial<EvmChain> = {}) => evmChainOf(fake.chain, { destinations, ...more })

function watching(...chains: EvmChain[]) {
  const watch = watchBridges({
    chains: new Map(chains.map((chain) => [chain.blockchain, chain])),
    now: () => time,
    wake: () => woken++,
    onError: (error) => errors.push(error),
  })
  return () => watch(store.database)
}
const ids = async () =>
  (await store.database.select().from(bridgeMessages)).map(({ messageId }) => messageId).sort()
/** A third party relays a redeem that sends a message. */
const relay = (number: number) =>
  fake.node.useNonce(operator.address, [bridgeRequested({ nonce: nonceOf(number) })])
const second = () => vi.advanceTimersByTime(1_000)
/** Checks three times, once per second: enough for a pause of two ranges. */
async function lookOften(look: () => Promise<void>): Promise<void> {
  for (let seconds = 0; seconds < 3; seconds++) {
    second()
    await look()
  }
}

test('records once the message of a redeem that a third party relayed, and does not change known messages', async () => {
  relay(1)
  const look = watching(source())
  await look()
  expect(await store.database.select().from(bridgeMessages)).toMatchObject([
    {
      sourceChainId: fake.chain.chainId,
      messageId: nonceOf(1),
      nonce: nonceOf(1),
      destinationChainId: 10,
      status: 'pending',
      createdAt: new Date(time),
    },
  ])
  expect((await store.database.select().from(bridgeMessages))[0]?.wallet.toLowerCase()).toBe(wallet)
  await store.database.update(bridgeMessages).set({ status: 'executed' })
  // A service that was restarted reads the same blocks again.
  await watching(source())()
  expect(await store.database.select().from(bridgeMessages)).toMatchObject([{ status: 'executed' }])
  expect(errors).toEqual([])
})

test('ignores logs of other contracts', async () => {
  fake.node.useNonce(operator.address, [
    { ...bridgeRequested({ nonce: nonceOf(1) }), address: operator.address },
  ])
  await watching(source())()
  expect(await ids()).toEqual([])
})

test.each([
  [4_999, 0],
  [5_000, 0],
  [5_001, 1],
  [9_000, 4_000],
])('at block %i, the first check starts at block %i', async (newest, from) => {
  fake.node.mineEmpty(newest)
  await watching(source())()
  expect(fake.node.ranges).toEqual([[from, newest]])
})

test('reads the blocks of a long pause in ranges that nodes accept', async () => {
  const look = watching(source())
  fake.node.mineEmpty(3)
  await look()
  fake.node.mineEmpty(6_000)
  relay(1)
  await lookOften(look)
  expect(fake.node.ranges.slice(1)).toEqual([
    [4, 5_004],
    [5_005, 6_004],
  ])
  expect(await ids()).toEqual([nonceOf(1)])
})

test('reads blocks again that a reorg changes while it reads the blocks of a long pause', async () => {
  const { client } = fake.chain
  let isReorg = false
  const getContractEvents = async (filter: never) => {
    const logs = await client.getContractEvents(filter)
    if (isReorg) {
      fake.node.forgetAfter(5_000)
      relay(1)
      fake.node.mineEmpty(100)
    }
    isReorg = false
    return logs
  }
  // viem's generic type of this function cannot be written here.
  const look = watching(source({ client: { ...client, getContractEvents } as unknown as EvmChain['client'] }))
  fake.node.mineEmpty(3)
  await look()
  fake.node.mineEmpty(6_000)
  isReorg = true
  await lookOften(look)
  expect(await ids()).toEqual([nonceOf(1)])
})

test('starts before the last block that it read, if a reorg removed that block during a long pause', async () => {
  const look = watching(source())
  fake.node.mineEmpty(3)
  await look()
  fake.node.forgetAfter(2)
  relay(1)
  fake.node.mineEmpty(6_000)
  await lookOften(look)
  expect(fake.node.ranges.slice(1)).toEqual([
    [0, 5_000],
    [5_001, 6_003],
  ])
  expect(await ids()).toEqual([nonceOf(1)])
})

test('reads each block once, and from the beginning after a reorg', async () => {
  const look = watching(source())
  fake.node.mineEmpty(3)
  await look()
  second()
  await look()
  expect(fake.node.ranges).toEqual([[0, 3]])
  relay(1)
  second()
  await look()
  expect(fake.node.ranges.slice(1)).toEqual([[4, 4]])
  fake.node.forgetAfter(2)
  relay(2)
  second()
  await look()
  expect(fake.node.ranges.slice(2)).toEqual([[0, 3]])
  expect(await ids()).toEqual([nonceOf(1), nonceOf(2)])
})

test.each([
  ['as high as before', 0],
  ['higher than before', 2],
])(
  'after a reorg that leaves the chain %s, updates the source transaction of the message',
  async (_, more) => {
    const look = watching(source())
    fake.node.mineEmpty(3)
    const before = relay(1)
    await look()
    fake.node.forgetAfter(3)
    const after = relay(1)
    fake.node.mineEmpty(more)
    second()
    await look()
    expect(fake.node.ranges).toEqual([
      [0, 4],
      [0, 4 + more],
    ])
    const [message] = await store.database.select().from(bridgeMessages)
    expect([message?.sourceHash, after === before]).toEqual([after, false])
  },
)

test('a credits contract without an adapter has no messages', async () => {
  fake = nodeWith(zeroAddress)
  relay(1)
  await watching(source())()
  expect([fake.node.ranges, await ids(), errors]).toEqual([[], [], []])
})

test('checks once per second, and wakes the relayer once for the next check', async () => {
  const look = watching(source())
  await look()
  for (const [ms, number] of [
    [899, 1],
    [1, 2],
  ] as const) {
    relay(number)
    vi.advanceTimersByTime(ms)
    await look()
    expect(fake.node.ranges).toHaveLength(number)
  }
  vi.advanceTimersByTime(999)
  expect(woken).toBe(0)
  vi.advanceTimersByTime(1)
  expect(woken).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(woken).toBe(1)
})

test('without destinations, sends no request and never wakes the relayer', async () => {
  await watching(source({ destinations: new Map() }))()
  vi.advanceTimersByTime(10_000)
  expect([fake.node.ranges, woken]).toEqual([[], 0])
})

test('a failing node does not delay other chains, and is retried with exponential backoff', async () => {
  const down = nodeWith(adapter)
  down.node.call = () => {
    throw new Error('the node is down')
  }
  const look = watching(source({ ...down.chain, blockchain: 'polygon', chainId: 80_002 }), source())
  relay(1)
  await look()
  expect(await ids()).toEqual([nonceOf(1)])
  expect(errors).toMatchObject([
    { name: 'BridgeWatchError', message: expect.stringContaining('polygon'), cause: expect.anything() },
  ])
  // Pauses of 0.4 and 0.8 seconds, measured with the service's clock.
  for (const [ms, failures] of [
    [399, 1],
    [1, 2],
    [799, 2],
    [1, 3],
  ] as const) {
    time += ms
    second()
    await look()
    expect(errors).toHaveLength(failures)
  }
  // Once the node responds, no block was skipped, and the next pause is short again.
  down.node.call = () => addressWord(adapter)
  time += 1_600
  down.node.useNonce(operator.address, [bridgeRequested({ nonce: nonceOf(2) })])
  second()
  await look()
  expect(await ids()).toEqual([nonceOf(1), nonceOf(2)])
  down.node.call = () => {
    throw new Error('the node is down')
  }
  for (const [ms, failures] of [
    [0, 4],
    [399, 4],
    [1, 5],
  ] as const) {
    time += ms
    down.node.mineEmpty(1)
    second()
    await look()
    expect(errors).toHaveLength(failures)
  }
})
