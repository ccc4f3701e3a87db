import { type Hex, keccak256, parseTransaction, TransactionReceiptNotFoundError } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Reference } from '../store/columns.ts'
import type { JournalRow } from '../store/database.ts'
import { fakeNode } from './fakeNode.fixture.ts'
import { finishTransaction } from './finishTransaction.ts'
import { followTransaction } from './followTransaction.ts'
import { journalTransaction } from './journalTransaction.ts'
import {
  credits,
  nonceOf,
  noteRedeem,
  operator,
  redeem,
  redeemStates,
  rowsOf,
  testStore,
  whitelist,
} from './relayer.fixture.ts'
import { gasPrice } from './relayerChain.ts'
import { replaceTransaction } from './replaceTransaction.ts'

const store = testStore()
let fake: ReturnType<typeof fakeNode>
let time: number
let finals: { status: string; hash: Hex; receipt: Hex | undefined }[]
const now = () => time
const request = { to: credits, data: '0x1234' as Hex, gas: 50_000n }

beforeEach(() => {
  fake = fakeNode()
  time = 1_000_000
  finals = []
})

const journal = async (reference: Reference = whitelist('one'), account = operator) =>
  journalTransaction(store.database, {
    chain: fake.chain,
    accounts: [account],
    reference,
    request,
    price: await gasPrice(fake.chain),
    now,
    also: async (work, { hash }) => {
      if (reference.kind === 'redeem') await noteRedeem(work, { nonce: reference.nonce, hash })
      if (reference.kind === 'batch') await noteRedeem(work, { nonce: nonceOf(1), hash })
    },
  })
/** One check of a row by a process. The row is as in the database, unless the test passes an older one. */
async function follow(row?: JournalRow, more: Partial<followTransaction.Options> = {}) {
  const [kept] = await rowsOf(store.database)
  const one = row ?? kept
  if (one === undefined) throw new Error('The journal is empty.')
  return followTransaction(store.database, {
    chain: fake.chain,
    row: one,
    now,
    accountOf: () => operator,
    priceOf: () => gasPrice(fake.chain),
    onBroadcast: undefined,
    onFinal: async (work, final) => {
      finals.push({
        status: final.row.status,
        hash: final.row.hash,
        receipt: final.receipt?.transactionHash,
      })
      await finishTransaction(work, { ...final, now })
    },
    ...more,
  })
}
const only = async () => (await rowsOf(store.database))[0] as JournalRow // each of these tests has exactly one row
/** A node that mines the pool, and then some empty blocks, right after its first request for a receipt. */
function minesAfterFirstLook(blocks = 0): typeof fake.chain {
  let looks = 0
  const { client } = fake.chain
  const getTransactionReceipt: typeof client.getTransactionReceipt = async (args) => {
    if (looks++ > 0) return client.getTransactionReceipt(args)
    fake.node.mine()
    fake.node.mineEmpty(blocks)
    throw new TransactionReceiptNotFoundError(args)
  }
  return { ...fake.chain, client: { ...client, getTransactionReceipt } }
}

describe('a transaction ends', () => {
  test.each(['mined', 'reverted'] as const)('as %s, once, with its block and gas', async (status) => {
    const { hash } = await journal()
    await follow()
    fake.node.mine({ status: status === 'mined' ? 'success' : 'reverted' })
    expect(await follow()).toMatchObject({ state: 'final', closed: { status } })
    expect(finals).toEqual([{ status, hash, receipt: hash }])
    expect(await only()).toMatchObject({ status, hash, blockNumber: 1, gasUsed: 21_000n })
  })

  test('as dropped if another transaction of the account used its nonce', async () => {
    const { hash } = await journal()
    fake.node.useNonce(operator.address)
    expect(await follow()).toMatchObject({ state: 'final', closed: { status: 'dropped' } })
    expect(finals).toEqual([{ status: 'dropped', hash, receipt: undefined }])
  })

  test.each([
    ['redeem', redeem(nonceOf(1))],
    ['batch', { kind: 'batch', blockchain: 'base', id: 'one' }],
  ] as const)('as dropped, with its redeems reverted: %s', async (_, reference) => {
    const { hash } = await journal(reference)
    fake.node.useNonce(operator.address)
    await follow()
    expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `reverted ${hash}` })
  })

  test('as mined if the node returns "nonce too low" because it was just mined', async () => {
    const { hash } = await journal()
    await follow()
    time += 5_000
    expect(await follow(undefined, { chain: minesAfterFirstLook() })).toMatchObject({
      closed: { status: 'mined', hash },
    })
  })

  test('once if two processes see the receipt at the same time', async () => {
    await journal()
    await follow()
    fake.node.mine()
    const row = await only()
    const ends = await Promise.all([follow(row), follow(row)])
    expect(ends.map((end) => end.state)).toEqual(['final', 'final'])
    expect(ends.filter((end) => end.state === 'final' && end.closed !== undefined)).toHaveLength(1)
    expect(finals).toHaveLength(1)
  })

  test('not while the node returns no receipt, even if it reports the nonce as used', async () => {
    await journal()
    fake.node.useNonce(operator.address)
    const { client } = fake.chain
    const getTransactionReceipt = () => Promise.reject(new Error('the node is down'))
    const down = { ...fake.chain, client: { ...client, getTransactionReceipt } }
    await expect(follow(undefined, { chain: down })).rejects.toThrow('the node is down')
    expect([(await only()).status, finals]).toEqual(['journalled', []])
  })

  test('only once its outcome is recorded', async () => {
    await journal()
    await follow()
    fake.node.mine()
    const onFinal = () => Promise.reject(new Error('the database is full'))
    await expect(follow(undefined, { onFinal })).rejects.toThrow('the database is full')
    expect((await only()).status).toBe('broadcast')
    expect(await follow()).toMatchObject({ closed: { status: 'mined' } })
  })
})

describe('with confirmations', () => {
  const payout = (): Reference => ({ kind: 'withdrawal', withdrawalId: 'one', attempt: 1 })
  beforeEach(() => {
    fake = fakeNode({ confirmations: 3 })
  })

  test.each([0, 3, 100])(
    'a transaction whose receipt a node lacks is not dropped after %i blocks',
    async (blocks) => {
      await journal(payout())
      await follow()
      fake.node.mine()
      fake.node.mineEmpty(blocks)
      fake.node.hasNoReceipts = true
      time += 5_000
      expect(await follow()).toEqual({ state: 'used' })
      fake.node.hasNoReceipts = false
      fake.node.mineEmpty(3)
      expect(await follow()).toMatchObject({ closed: { status: 'mined' } })
    },
  )

  test('a transaction is not dropped because its block has others of its account or with its nonce', async () => {
    const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
    for (const account of [other, operator])
      for (const id of ['one', 'two']) await journal(whitelist(`${id} of ${account.address}`), account)
    await journal(payout())
    for (const row of await rowsOf(store.database)) await follow(row)
    fake.node.mine()
    fake.node.mineEmpty(3)
    fake.node.hasNoReceipts = true
    time += 5_000
    expect(await follow((await rowsOf(store.database)).at(-1))).toEqual({ state: 'used' })
  })

  test('a transaction is not dropped while a node lacks the receipt of the one it replaced', async () => {
    const old = await journal(payout())
    await follow()
    fake.node.baseFee = 300n
    time += 1_000
    await follow()
    fake.node.mine({ hash: old.hash })
    fake.node.mineEmpty(3)
    fake.node.hasNoReceipts = true
    time += 5_000
    expect(await follow()).toEqual({ state: 'used' })
    fake.node.hasNoReceipts = false
    expect(await follow()).toMatchObject({ closed: { status: 'mined', hash: old.hash } })
  })

  test('a transaction is not dropped while no block shows which transaction used its nonce', async () => {
    await journal(payout())
    fake.node.useNonce(operator.address)
    fake.node.mineEmpty(3)
    const { client } = fake.chain
    const getBlock = (async (args: never) => ({
      ...(await client.getBlock(args)),
      transactions: [],
    })) as unknown as typeof client.getBlock // `getBlock` is generic
    const chain = { ...fake.chain, client: { ...client, getBlock } }
    expect(await follow(undefined, { chain })).toEqual({ state: 'used' })
  })

  test('a transaction that is mined after the first check becomes final', async () => {
    const { hash } = await journal(payout())
    await follow()
    time += 5_000
    expect(await follow(undefined, { chain: minesAfterFirstLook(3) })).toMatchObject({
      closed: { status: 'mined', hash },
    })
  })

  test('a transaction is not dropped while a reorg could free its nonce', async () => {
    const { hash } = await journal(payout())
    await follow()
    fake.node.useNonce(operator.address)
    time += 5_000
    expect(await follow()).toEqual({ state: 'used' })
    // A reorg removes the other transaction, and this one is mined instead.
    fake.node.forgetAfter(0)
    await follow()
    fake.node.mine()
    fake.node.mineEmpty(3)
    expect(await follow()).toMatchObject({ closed: { status: 'mined', hash } })
  })

  test('a transaction is dropped once a reorg can no longer free its nonce', async () => {
    await journal(payout())
    fake.node.useNonce(operator.address)
    fake.node.mineEmpty(2)
    expect(await follow()).toEqual({ state: 'used' })
    fake.node.mineEmpty(1)
    expect(await follow()).toMatchObject({ closed: { status: 'dropped' } })
  })

  test.each([
    ['mined', 'reverted'],
    ['reverted', 'mined'],
  ] as const)('a payout that was %s in a replaced block ends as %s', async (first, then) => {
    const statusOf = (status: 'mined' | 'reverted') => (status === 'mined' ? 'success' : 'reverted')
    await journal(payout())
    await follow()
    fake.node.mine({ status: statusOf(first) })
    fake.node.mineEmpty(2)
    expect(await follow()).toEqual({ state: 'used' })
    fake.node.forgetAfter(0)
    time += 5_000
    await follow()
    fake.node.mine({ status: statusOf(then) })
    fake.node.mineEmpty(3)
    await follow()
    expect(finals).toMatchObject([{ status: then }])
  })

  test('a redeem is final with its receipt, because its contract executes it only once', async () => {
    await journal(redeem(nonceOf(1)))
    await follow()
    fake.node.mine()
    expect(await follow()).toMatchObject({ closed: { status: 'mined' } })
  })

  test('a redeem whose receipt is missing is not dropped, because dropped redeems are reported as reverted', async () => {
    await journal(redeem(nonceOf(1)))
    await follow()
    fake.node.refusal = 'nonce too low'
    time += 5_000
    expect(await follow()).toEqual({ state: 'used' })
    fake.node.mine()
    fake.node.hasNoReceipts = true
    expect(await follow()).toEqual({ state: 'used' })
    fake.node.hasNoReceipts = false
    expect(await follow()).toMatchObject({ closed: { status: 'mined' } })
  })

  test('a redeem is dropped immediately if another transaction used its nonce', async () => {
    await journal(redeem(nonceOf(1)))
    fake.node.useNonce(operator.address)
    expect(await follow()).toMatchObject({ closed: { status: 'dropped' } })
  })

  test('a redeem is dropped if its nonce was used before the oldest state that nodes keep', async () => {
    await journal(redeem(nonceOf(1)))
    fake.node.useNonce(operator.address)
    fake.node.mineEmpty(200)
    const { client } = fake.chain
    const getTransactionCount: typeof client.getTransactionCount = async (args) => {
      if (args.blockNumber !== undefined && args.blockNumber < 73n) throw new Error('missing trie node')
      return client.getTransactionCount(args)
    }
    const chain = { ...fake.chain, client: { ...client, getTransactionCount } }
    expect(await follow(undefined, { chain })).toMatchObject({ closed: { status: 'dropped' } })
  })
})

describe('a broadcast is repeated', () => {
  test('after 5 seconds, with the same bytes, if the pool has lost the transaction', async () => {
    const { raw } = await journal()
    await follow()
    fake.node.dropPool()
    const { updatedAt } = await only()
    for (const age of [0, 4_999]) {
      time = updatedAt.getTime() + age
      await follow()
      expect(fake.node.pool()).toEqual([])
    }
    time += 1
    await follow()
    expect(fake.node.pool()).toEqual([keccak256(raw)])
    expect(fake.node.broadcasts).toEqual([raw, raw])
  })

  test('if the clock was set back', async () => {
    await journal()
    await follow()
    fake.node.dropPool()
    time -= 1
    await follow()
    expect(fake.node.pool()).toHaveLength(1)
  })

  test('after a crash before the first broadcast, and reported as the first', async () => {
    const { hash } = await journal()
    const reported: Hex[] = []
    const onBroadcast = async (row: JournalRow) => void reported.push(row.hash)
    fake.node.baseFee = 300n
    await follow(undefined, { onBroadcast, accountOf: () => undefined })
    expect(reported).toEqual([])
    fake.node.baseFee = 100n
    await follow(undefined, { onBroadcast })
    expect(reported).toEqual([hash])
    time += 5_000
    await follow(undefined, { onBroadcast })
    expect(reported).toEqual([hash])
  })
})

describe('a transaction is replaced', () => {
  /** A pending transaction with a maximum fee of 210 wei, after the base fee has risen to 300. */
  async function stuck(baseFee = 300n, reference?: Reference): Promise<JournalRow> {
    await journal(reference)
    await follow()
    fake.node.baseFee = baseFee
    time += 1_000
    return only()
  }

  test('by one with the same call and nonce and fees at least an eighth higher, and the old one is kept', async () => {
    const old = await stuck()
    expect(await follow()).toEqual({ state: 'open' })
    const row = await only()
    const [was, is] = [parseTransaction(old.raw), parseTransaction(row.raw)]
    expect(is).toMatchObject({ ...request, nonce: 0, maxFeePerGas: 610n })
    expect(Number(is.maxFeePerGas)).toBeGreaterThan(Number(was.maxFeePerGas) * 1.125)
    expect(Number(is.maxPriorityFeePerGas)).toBeGreaterThan(Number(was.maxPriorityFeePerGas) * 1.125)
    expect(row).toMatchObject({ replaced: [{ hash: old.hash, raw: old.raw }], status: 'broadcast' })
    expect(row.hash).toBe(keccak256(row.raw))
    expect(fake.node.broadcasts.at(-1)).toBe(row.raw)
  })

  test('only after a second, and only if the base fee exceeds its maximum', async () => {
    const old = await stuck(210n)
    await follow()
    expect((await only()).hash).toBe(old.hash)
    fake.node.baseFee = 211n
    for (const age of [0, 999]) {
      time = old.updatedAt.getTime() + age
      await follow()
      expect((await only()).hash).toBe(old.hash)
    }
    time += 1
    await follow()
    expect((await only()).hash).not.toBe(old.hash)
  })

  test('even if the clock was set back', async () => {
    const old = await stuck()
    time -= 2_000
    await follow()
    expect((await only()).hash).not.toBe(old.hash)
  })

  test('even if the account has an older pending transaction', async () => {
    await journal(whitelist('zero'))
    const row = await journal()
    fake.node.baseFee = 300n
    const replaced = await replaceTransaction(store.database, {
      chain: fake.chain,
      row,
      account: operator,
      price: await gasPrice(fake.chain),
      now,
    })
    expect(parseTransaction(replaced?.raw ?? '0x').nonce).toBe(1)
  })

  test('with fees up to the chain’s limit, but not above it', async () => {
    const old = await stuck()
    const price = await gasPrice(fake.chain)
    const replace = (maxFeePerGas: bigint) =>
      replaceTransaction(store.database, {
        chain: { ...fake.chain, maxFeePerGas },
        row: old,
        account: operator,
        price,
        now,
      })
    // With a maximum below the base fee, the replacement would wait like the old transaction.
    expect(await replace(299n)).toBeUndefined()
    expect((await only()).hash).toBe(old.hash)
    expect(parseTransaction((await replace(300n))?.raw ?? '0x').maxFeePerGas).toBe(300n)
  })

  test('with fees at least an eighth higher, even if the base fee requires less', async () => {
    const old = await stuck(211n)
    const price = await gasPrice(fake.chain)
    const replace = (maxFeePerGas: bigint) =>
      replaceTransaction(store.database, {
        chain: { ...fake.chain, maxFeePerGas },
        row: old,
        account: operator,
        price,
        now,
      })
    // 210 * 9 / 8 + 1 = 237
    expect(await replace(236n)).toBeUndefined()
    expect(parseTransaction((await replace(237n))?.raw ?? '0x').maxFeePerGas).toBe(237n)
  })

  test('only once if two processes try', async () => {
    const old = await stuck()
    await Promise.all([follow(old), follow(old)])
    const row = await only()
    expect(row.replaced.map(({ hash }) => hash)).toEqual([old.hash])
    expect(fake.node.pool()).toContain(row.hash)
  })

  test('with the tip that the node demands, if recent blocks have no tips', async () => {
    fake.node.rewards = [0n]
    const old = await journal()
    await follow()
    time += 1_000
    await follow()
    await follow()
    expect(parseTransaction((await only()).raw)).toMatchObject({ maxPriorityFeePerGas: 7n })
    expect(fake.node.pool()).toEqual([(await only()).hash])
    expect((await only()).replaced.map(({ hash }) => hash)).toEqual([old.hash])
  })

  test('but not with a tip above the chain’s limit', async () => {
    fake = fakeNode({ maxPriorityFeePerGas: 6n })
    const old = await journal()
    time += 1_000
    await follow()
    expect((await only()).hash).toBe(old.hash)
  })

  test('but not by a process with an outdated row', async () => {
    const old = await stuck()
    await follow(old)
    const { hash } = await only()
    fake.node.baseFee = 900n
    await follow(old)
    // Otherwise the journal would lose the first replacement, which may still be mined.
    expect(await only()).toMatchObject({ hash, replaced: [{ hash: old.hash }] })
  })

  test('but not without the sender’s key', async () => {
    const old = await stuck()
    await follow(undefined, { accountOf: () => undefined })
    expect((await only()).hash).toBe(old.hash)
  })

  test('and after a crash before its broadcast, the replacement is broadcast immediately', async () => {
    const row = await stuck()
    const replacement = await replaceTransaction(store.database, {
      chain: fake.chain,
      row,
      account: operator,
      price: await gasPrice(fake.chain),
      now,
    })
    await follow()
    expect(fake.node.pool()).toContain(replacement?.hash)
  })

  test.each<Reference>([redeem(nonceOf(1)), { kind: 'batch', blockchain: 'base', id: 'one' }])(
    'and the redeem of a $kind gets the new hash',
    async (reference) => {
      const old = await stuck(300n, reference)
      await follow()
      const { hash } = await only()
      expect(hash).not.toBe(old.hash)
      expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `sending ${hash}` })
    },
  )

  test('and if the old transaction is mined, the row and the redeem get its hash', async () => {
    const old = await stuck(300n, redeem(nonceOf(1)))
    const replacement = await replaceTransaction(store.database, {
      chain: fake.chain,
      row: old,
      account: operator,
      price: await gasPrice(fake.chain),
      now,
    })
    fake.node.mine({ hash: old.hash })
    expect(await follow()).toMatchObject({ closed: { status: 'mined', hash: old.hash, raw: old.raw } })
    expect((await only()).replaced).toEqual([{ hash: replacement?.hash, raw: replacement?.raw }])
    expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `redeemed ${old.hash}` })
  })

  test('and if the replacement is mined, the row and the redeem get its hash', async () => {
    const old = await stuck(300n, redeem(nonceOf(1)))
    await follow()
    const { hash, raw } = await only()
    fake.node.mine({ hash })
    expect(await follow()).toMatchObject({ closed: { status: 'mined', hash, raw } })
    expect((await only()).replaced).toEqual([{ hash: old.hash, raw: old.raw }])
    expect(await redeemStates(store.database)).toEqual({ [nonceOf(1)]: `redeemed ${hash}` })
  })

  test('and a process with the old row closes no row', async () => {
    const old = await stuck()
    await follow(old)
    const { hash } = await only()
    fake.node.mine({ hash })
    // The process checks the transaction after the node reports the nonce as used.
    time += 5_000
    expect(await follow(old, { accountOf: () => undefined })).toEqual({ state: 'final', closed: undefined })
    expect(finals).toEqual([])
    expect(await follow()).toMatchObject({ closed: { status: 'mined', hash } })
  })
})
