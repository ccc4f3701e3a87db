import { eq } from 'drizzle-orm'
import {
  type Hex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializedEIP1559,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { nonceQueues, transactions } from '../store/tables/index.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import { journalTransaction } from './journalTransaction.ts'
import { credits, operator, relayerOf, rowsOf, testStore, whitelist } from './relayer.fixture.ts'
import { gasPrice } from './relayerChain.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
const now = () => 1_000_000
const request = { to: credits, data: '0x1234' as Hex, gas: 50_000n }

beforeEach(() => {
  fake = fakeNode()
})

const journal = async (id: string, more: Partial<journalTransaction.Options> = {}) =>
  journalTransaction(store.database, {
    chain: fake.chain,
    accounts: [operator],
    reference: whitelist(id),
    request,
    price: await gasPrice(fake.chain),
    now,
    ...more,
  })
const nonces = async () => (await rowsOf(store.database)).map(({ nonce }) => nonce)
const nextNonce = async () => (await store.database.select().from(nonceQueues))[0]?.nextNonce

test('a signed transaction is in the journal before the node receives it', async () => {
  const seen: unknown[] = []
  const relayer = relayerOf(
    store.database,
    { chain: fake.chain, now },
    { probe: async (step, { hash }) => void seen.push([step, hash, fake.node.pool().length]) },
  )
  const { raw, hash } = await relayer.send({
    chainId: fake.chain.chainId,
    account: operator,
    reference: whitelist('one'),
    request,
  })
  await relayer.stop()
  expect(seen).toEqual([
    ['journalled', hash, 0],
    ['broadcast', hash, 1],
  ])
  expect(parseTransaction(raw)).toMatchObject({ ...request, chainId: fake.chain.chainId, maxFeePerGas: 210n })
  expect(await rowsOf(store.database)).toMatchObject([{ hash, raw }])
})

describe('a reference', () => {
  test('is signed once, even if a later request has a different call', async () => {
    const first = await journal('one')
    expect(await journal('one', { request: { ...request, data: '0x99' } })).toEqual(first)
    expect(await nonces()).toEqual([0])
    expect(await nextNonce()).toBe(1)
  })

  test('is signed once if two processes use it concurrently, and additional rows are written once', async () => {
    const wrote: string[] = []
    const also = async (_: unknown, { hash }: { hash: string }) => void wrote.push(hash)
    const [one, two] = await Promise.all([journal('one', { also }), journal('one', { also })])
    expect(one.hash).toBe(two.hash)
    expect(wrote).toEqual([one.hash])
  })

  test('is not signed if the additional rows cannot be written', async () => {
    const also = async () => Promise.reject(new Error('another process has claimed the order'))
    await expect(journal('one', { also })).rejects.toThrow('claimed the order')
    expect(await nonces()).toEqual([])
    expect((await journal('two')).nonce).toBe(0)
  })
})

test('a transaction too large for nodes gets no nonce, so it does not block later ones', async () => {
  const data: Hex = `0x${'00'.repeat(95_000)}`
  await expect(journal('large', { request: { ...request, data } })).rejects.toThrow('at most 95000')
  const { nonce } = await journal('one')
  expect([nonce, await nonces()]).toEqual([0, [0]])
})

test('concurrent transactions get consecutive nonces', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, at) => journal(`${at}`)))
  expect((await nonces()).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at))
})

describe('the nonce', () => {
  test('follows the chain if another program used the account', async () => {
    await journal('one')
    fake.node.useNonce(operator.address)
    fake.node.useNonce(operator.address)
    expect((await journal('two')).nonce).toBe(2)
  })

  test('is not taken from a lagging node', async () => {
    const row = await journal('one')
    await fake.chain.client.request({ method: 'eth_sendRawTransaction', params: [row.raw] })
    fake.node.mine()
    await close(row.id)
    fake.node.lags = Number.POSITIVE_INFINITY
    expect((await journal('two')).nonce).toBe(1)
    expect((await rowsOf(store.database)).map(({ nonce, status }) => [nonce, status])).toEqual([
      [0, 'mined'],
      [1, 'journalled'],
    ])
  })

  test('does not restart if the node lagged in one response only', async () => {
    fake.node.useNonce(operator.address)
    expect((await journal('one')).nonce).toBe(1)
    fake.node.lags = 1
    expect((await journal('two')).nonce).toBe(2)
  })

  test('restarts at the chain’s count if the journal lacks the lost transactions', async () => {
    await journal('one')
    await journal('two')
    // The chain was restored and the journal lacks the first row, so a transaction with nonce 1 would never be mined.
    await store.database.delete(transactions).where(eq(transactions.nonce, 0))
    const [second] = await rowsOf(store.database)
    if (second !== undefined) await close(second.id)
    expect((await journal('three')).nonce).toBe(0)
    expect((await rowsOf(store.database)).map(({ nonce, status }) => [nonce, status])).toEqual([
      [1, 'dropped'],
      [0, 'journalled'],
    ])
    expect((await journal('four')).nonce).toBe(1)
  })

  test('is not reset by a process whose node response predates another process’s correction', async () => {
    await journal('one')
    await store.database.delete(transactions)
    let asked = 0
    const getTransactionCount: typeof fake.chain.client.getTransactionCount = async () => {
      asked++
      if (asked < 2) return 0
      // Meanwhile the other process signs a transaction, and it is mined.
      await close((await journal('other')).id)
      return 0
    }
    const chain = { ...fake.chain, client: { ...fake.chain.client, getTransactionCount } }
    expect((await journal('two', { chain })).nonce).toBe(1)
    expect((await rowsOf(store.database)).map(({ nonce, status }) => [nonce, status])).toEqual([
      [0, 'mined'],
      [1, 'journalled'],
    ])
  })

  test('is requested from the node once while earlier transactions are pending', async () => {
    await journal('one')
    await journal('two')
    expect(fake.node.asked.filter((method) => method === 'eth_getTransactionCount')).toHaveLength(2)
  })

  test('is not requested again for accounts with pending transactions', async () => {
    const others = ['22', '33', '44'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`))
    for (const account of others) await journal(account.address, { accounts: [account] })
    await close((await journal('one')).id)
    fake.node.asked.length = 0
    // The node's count does not include transaction `one` yet.
    await journal('two', { accounts: [operator, ...others] })
    // One request per account, then one for the first account and for each queue of the chain.
    expect(fake.node.asked.filter((method) => method === 'eth_getTransactionCount')).toHaveLength(4 + 1 + 4)
  })

  test('of a pending transaction stays taken after a reorg, so the next transaction skips it', async () => {
    await journal('one')
    await journal('two')
    await store.database.update(nonceQueues).set({ nextNonce: 0 })
    expect((await journal('three')).nonce).toBe(2)
  })

  test('of a mined transaction that a reorg removed is not given to another transaction', async () => {
    const row = await journal('one')
    await fake.chain.client.request({ method: 'eth_sendRawTransaction', params: [row.raw] })
    fake.node.mine()
    await close(row.id)
    fake.node.forgetAfter(0)
    expect((await journal('two')).nonce).toBe(1)
    // The relayer sent the transaction again, unchanged.
    expect(fake.node.broadcasts).toEqual([row.raw, row.raw])
  })
})

/** Closes a row as `followTransaction` does once there is a receipt. */
const close = (id: number) =>
  store.database.update(transactions).set({ status: 'mined' }).where(eq(transactions.id, id))

const second = privateKeyToAccount(`0x${'22'.repeat(32)}`)

test('of several accounts, one that already has a nonce queue is used, with its key', async () => {
  await journal('one', { accounts: [second] })
  const { raw, sender, nonce } = await journal('two', { accounts: [operator, second] })
  expect([sender, nonce]).toEqual([second.address, 1])
  const serializedTransaction = raw as TransactionSerializedEIP1559 // the relayer signs only this type
  expect(await recoverTransactionAddress({ serializedTransaction })).toBe(second.address)
})

test('of several accounts, the first is preferred, and each has its own nonces', async () => {
  const one = await journal('one', { accounts: [second, operator] })
  const two = await journal('two', { accounts: [operator, second] })
  expect([one.sender, one.nonce, two.sender, two.nonce]).toEqual([second.address, 0, operator.address, 0])
})
