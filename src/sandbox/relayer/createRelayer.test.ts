import { eq } from 'drizzle-orm'
import { type Hex, parseTransaction } from 'viem'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { JournalRow } from '../store/database.ts'
import { transactions } from '../store/tables/index.ts'
import type { createRelayer } from './createRelayer.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import { journalTransaction } from './journalTransaction.ts'
import { credits, operator, relayerOf, rowsOf, testStore, whitelist } from './relayer.fixture.ts'
import { gasPrice } from './relayerChain.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
let time: number
let errors: unknown[]
const now = () => time
/** On a busy machine, there may be only two passes per second. */
const until = { timeout: 15_000 }
const request = { to: credits, data: '0x1234' as Hex, gas: 50_000n }

beforeEach(() => {
  fake = fakeNode()
  time = 1_000_000
  errors = []
})

const relayerWith = (more: Partial<createRelayer.Options> = {}) =>
  relayerOf(
    store.database,
    { chain: fake.chain, now },
    { onError: (error) => errors.push(error), pollIntervalMs: 1, ...more },
  )
type Relayer = ReturnType<typeof relayerWith>
const send = (relayer: Relayer, id: string, more: Partial<Parameters<Relayer['send']>[0]> = {}) =>
  relayer.send({
    chainId: fake.chain.chainId,
    account: operator,
    reference: whitelist(id),
    request,
    ...more,
  })
/** Journals a transaction that was not broadcast before a crash. */
const journal = async (id: string) =>
  journalTransaction(store.database, {
    chain: fake.chain,
    accounts: [operator],
    reference: whitelist(id),
    request,
    price: await gasPrice(fake.chain),
    now,
  })
const only = async () => (await rowsOf(store.database))[0] as JournalRow // each of these tests has exactly one row
const asked = (method: string) => fake.node.asked.filter((one) => one === method).length

describe('a transaction', () => {
  test('for an unsupported chain throws an error and is not journalled', async () => {
    await expect(send(relayerWith(), 'one', { chainId: 5 })).rejects.toThrow('no chain 5')
    expect(await rowsOf(store.database)).toEqual([])
  })

  test('with a known reference is not broadcast again', async () => {
    const relayer = relayerWith()
    const row = await send(relayer, 'one')
    await relayer.stop()
    expect((await send(relayer, 'one')).id).toBe(row.id)
    expect(fake.node.broadcasts).toEqual([row.raw])
  })

  test('that the node accepted is not broadcast again by a pass', async () => {
    const relayer = relayerWith()
    const row = await send(relayer, 'one')
    fake.node.asked.length = 0
    relayer.wake()
    await expect.poll(() => asked('eth_getTransactionReceipt'), until).toBeGreaterThan(1)
    await relayer.stop()
    expect(fake.node.broadcasts).toEqual([row.raw])
  })

  test('whose fee is currently too low waits in the journal', async () => {
    const relayer = relayerWith()
    const price = { ...(await gasPrice(fake.chain)), maximum: 99n, priority: 3n }
    const { raw } = await send(relayer, 'one', { price })
    await relayer.stop()
    expect(parseTransaction(raw)).toMatchObject({ maxFeePerGas: 99n, maxPriorityFeePerGas: 3n })
    expect((await only()).status).toBe('journalled')
  })

  test('requests price and nonce from the node once', async () => {
    const relayer = relayerWith()
    await relayer.stop()
    for (const id of ['one', 'two']) {
      fake.node.asked.length = 0
      await send(relayer, id)
      expect(fake.node.asked.sort()).toEqual([
        'eth_feeHistory',
        'eth_getBlockByNumber',
        'eth_getTransactionCount',
        'eth_sendRawTransaction',
      ])
    }
  })

  test('whose broadcast failed stays in the journal and is sent later', async () => {
    fake.node.refusal = 'the node is overloaded'
    const relayer = relayerWith()
    await expect(send(relayer, 'one')).rejects.toMatchObject({ name: 'ChainReadError' })
    expect(await only()).toMatchObject({ status: 'journalled', nonce: 0 })
    fake.node.refusal = undefined
    await relayer.start()
    await expect.poll(() => fake.node.pool().length, until).toBe(1)
    fake.node.mine()
    expect(await relayer.wait(await only())).toMatchObject({ status: 'mined' })
  })
})

describe('after a restart', () => {
  test('transactions are broadcast in nonce order, and each broadcast is reported', async () => {
    const [one, two] = [await journal('one'), await journal('two')]
    await store.database
      .update(transactions)
      .set({ id: two.id + 100 })
      .where(eq(transactions.id, one.id))
    const seen: unknown[] = []
    const relayer = relayerWith({ probe: (step, { nonce }) => void seen.push([step, nonce]) })
    await relayer.start()
    await expect.poll(() => fake.node.broadcasts, until).toEqual([one.raw, two.raw])
    await expect
      .poll(() => seen, until)
      .toEqual([
        ['broadcast', 0],
        ['broadcast', 1],
      ])
  })

  test('transactions of a removed chain stay pending and do not delay others', async () => {
    const [one, two] = [await journal('one'), await journal('two')]
    await store.database.update(transactions).set({ chainId: 1 }).where(eq(transactions.id, one.id))
    const relayer = relayerWith()
    const waiting = relayer.wait(two)
    await expect.poll(() => fake.node.pool(), until).toEqual([two.hash])
    fake.node.mine()
    expect(await waiting).toMatchObject({ status: 'mined' })
    expect(errors).toEqual([])
    expect(await only()).toMatchObject({ id: one.id, status: 'journalled' })
  })

  test('a relayer that is stopped during a pass broadcasts no further transaction', async () => {
    const one = await journal('one')
    await journal('two')
    const stops: Promise<void>[] = []
    const relayer = relayerWith({ probe: () => void stops.push(relayer.stop()) })
    await relayer.start()
    await expect.poll(() => stops.length, until).toBe(1)
    await Promise.all(stops)
    expect(fake.node.broadcasts).toEqual([one.raw])
  })

  test('the price is read once for all stuck transactions of a pass', async () => {
    for (const id of ['one', 'two', 'three']) await journal(id)
    fake.node.baseFee = 300n
    time += 1_000
    fake.node.asked.length = 0
    const relayer = relayerWith()
    await relayer.start()
    await expect.poll(() => fake.node.pool().length, until).toBe(3)
    await relayer.stop()
    expect(asked('eth_feeHistory')).toBe(1)
  })
})

describe('with several processes on one database', () => {
  const shared = { isShared: async () => true }
  async function pass() {
    let passes = 0
    const relayer = relayerWith({ ...shared, onTick: async () => ++passes < 0 })
    await relayer.start()
    await expect.poll(() => passes, until).toBeGreaterThan(0)
    await relayer.stop()
  }

  test('a process follows another process’s transaction only after two seconds', async () => {
    const { raw } = await journal('one')
    await pass()
    time += 1_999
    await pass()
    expect(fake.node.broadcasts).toEqual([])
    expect(asked('eth_getTransactionReceipt')).toBe(0)
    time += 1
    await pass()
    expect(fake.node.broadcasts).toEqual([raw])
  })

  test('a process follows another process’s transaction immediately if the clock was set back', async () => {
    const { raw } = await journal('one')
    time -= 1
    await pass()
    expect(fake.node.broadcasts).toEqual([raw])
  })

  test('a process immediately follows its own transactions and those that a caller waits for', async () => {
    const relayer = relayerWith(shared)
    await send(relayer, 'one')
    fake.node.mine()
    await expect.poll(only, until).toMatchObject({ status: 'mined' })
    const waiting = relayer.wait(await journal('two'))
    await expect.poll(() => fake.node.pool().length, until).toBe(1)
    fake.node.mine()
    expect(await waiting).toMatchObject({ status: 'mined' })
  })
})

describe('a caller that waits for a transaction', () => {
  test('gets it once it is final, as other callers do, and immediately if it is already final', async () => {
    const relayer = relayerWith()
    const sent = await send(relayer, 'one')
    const waiting = [relayer.wait(sent), relayer.wait(sent)]
    fake.node.mine()
    for (const one of await Promise.all(waiting)) expect(one).toMatchObject({ id: sent.id, status: 'mined' })
    await relayer.stop()
    expect(await relayer.wait(sent)).toMatchObject({ status: 'mined' })
  })

  test('gets it if another process closed it', async () => {
    const relayer = relayerWith()
    const sent = await send(relayer, 'one')
    const waiting = relayer.wait(sent)
    fake.node.mine()
    const other = relayerWith()
    await other.wait(sent)
    expect(await waiting).toMatchObject({ status: 'mined' })
  })

  test('gets it if another process closes it during the same pass', async () => {
    const other = relayerWith()
    const sent = await send(other, 'one')
    fake.node.mine()
    const { client } = fake.chain
    const getTransactionReceipt: typeof client.getTransactionReceipt = async (args) => {
      await other.wait(sent)
      return client.getTransactionReceipt(args)
    }
    const chain = { ...fake.chain, client: { ...client, getTransactionReceipt } }
    const relayer = relayerWith({ chains: new Map([[chain.chainId, chain]]) })
    expect(await relayer.wait(sent)).toMatchObject({ status: 'mined' })
    expect(errors).toEqual([])
  })

  test('gets it even if the node does not respond to a request for another transaction', async () => {
    const sender = relayerWith()
    const [one, two] = [await send(sender, 'one'), await send(sender, 'two')]
    await sender.stop()
    fake.node.mine()
    const { client } = fake.chain
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const getTransactionReceipt: typeof client.getTransactionReceipt = async (args) => {
      if (args.hash === two.hash) await answered
      return client.getTransactionReceipt(args)
    }
    const chain = { ...fake.chain, client: { ...client, getTransactionReceipt } }
    const relayer = relayerWith({ chains: new Map([[chain.chainId, chain]]) })
    onTestFinished(answer)
    expect(await relayer.wait(one)).toMatchObject({ status: 'mined' })
  })

  test('gets it although another transaction cannot be followed', async () => {
    const relayer = relayerWith()
    const [one, two] = [await send(relayer, 'one'), await send(relayer, 'two')]
    // A transaction without a receipt, whose bytes cannot be decoded.
    await store.database
      .update(transactions)
      .set({ raw: '0x00', hash: `0x${'00'.repeat(32)}` })
      .where(eq(transactions.id, one.id))
    time += 5_000
    fake.node.mine()
    expect(await relayer.wait(two)).toMatchObject({ status: 'mined' })
    expect(errors.length).toBeGreaterThan(0)
  })
})

describe('over time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Advances the time while the relayer works. */
  async function advance(ms: number) {
    for (let passed = 0; passed < ms; passed += 50) {
      vi.advanceTimersByTime(50)
      for (let turn = 0; turn < 3; turn++) await rowsOf(store.database)
    }
  }
  async function mined(relayer: Relayer) {
    const row = await send(relayer, 'one')
    fake.node.mine()
    await advance(500)
    expect(await only()).toMatchObject({ status: 'mined' })
    fake.node.broadcasts.length = 0
    return row
  }

  test('a reorg is detected within about a second, even long after the last transaction', async () => {
    const relayer = relayerWith()
    await relayer.start()
    const { raw } = await mined(relayer)
    await advance(10_000)
    fake.node.forgetAfter(0)
    await advance(1_200)
    expect(fake.node.broadcasts).toEqual([raw])
  })

  test('an idle relayer requests each account’s nonce once per second and nothing more', async () => {
    let passes = 0
    const onTick = async () => {
      passes++
      return false
    }
    const relayer = relayerWith({ onTick })
    await relayer.start()
    const row = await mined(relayer)
    // The relayer does not check transactions that are final.
    expect(await relayer.wait(row)).toMatchObject({ status: 'mined' })
    await advance(2_000)
    fake.node.asked.length = 0
    passes = 0
    await advance(10_000)
    expect(new Set(fake.node.asked)).toEqual(new Set(['eth_getTransactionCount']))
    for (const count of [fake.node.asked.length, passes]) {
      expect(count).toBeGreaterThanOrEqual(9)
      expect(count).toBeLessThanOrEqual(11)
    }
  })

  test('a pending transaction is checked after each pause until it is final, even while the node fails', async () => {
    const relayer = relayerWith({ pollIntervalMs: 100 })
    await send(relayer, 'one')
    const lookUps = async () => {
      fake.node.asked.length = 0
      await advance(800)
      return asked('eth_getTransactionReceipt')
    }
    expect(await lookUps()).toBeGreaterThan(4)
    fake.node.isDown = true
    expect(await lookUps()).toBeGreaterThan(4)
    fake.node.isDown = false
    fake.node.mine()
    await advance(200)
    expect(await only()).toMatchObject({ status: 'mined' })
    expect(await lookUps()).toBe(0)
  })

  test('a payout that waits for confirmations is checked once per second until it is final', async () => {
    fake = fakeNode({ confirmations: 3 })
    const relayer = relayerWith({ pollIntervalMs: 100 })
    await send(relayer, 'one', { reference: { kind: 'withdrawal', withdrawalId: 'one', attempt: 1 } })
    fake.node.mine()
    await advance(1_000)
    fake.node.asked.length = 0
    await advance(5_000)
    expect(asked('eth_getTransactionReceipt')).toBeGreaterThanOrEqual(4)
    expect(asked('eth_getTransactionReceipt')).toBeLessThanOrEqual(6)
    fake.node.mineEmpty(3)
    await advance(1_200)
    expect(await only()).toMatchObject({ status: 'mined' })
  })

  test('a node that was down is queried again before a new transaction is signed', async () => {
    const first = relayerWith()
    const { raw } = await mined(first)
    await first.stop()
    fake.node.forgetAfter(0)
    fake.node.isDown = true
    const relayer = relayerWith()
    await relayer.start()
    expect(errors).toHaveLength(1)
    fake.node.isDown = false
    await advance(1_200)
    expect(fake.node.broadcasts).toEqual([raw])
  })

  test('the relayer runs again as long as onTick reports more work', async () => {
    let left = 3
    const relayer = relayerWith({ onTick: async () => --left > 0, pollIntervalMs: 100 })
    await relayer.start()
    await advance(800)
    expect(left).toBe(0)
  })
})
