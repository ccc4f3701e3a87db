import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import { parseReference, type Reference } from './columns.ts'
import { copyRows, putBackRows } from './copyRows.ts'
import { sqlOf } from './openJobQueue.ts'
import { openStore, type Store } from './openStore.ts'
import * as tables from './tables/index.ts'

onEachDatabase(({ create }) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await create())
    const at = new Date(0)
    await store.database.insert(tables.jobs).values({
      jobId: 'one',
      merchantId: 'shop',
      type: 'mint',
      blockchain: 'base',
      wallet: '0x01',
      amount: 1n,
      status: 'pending',
      createdAt: at,
    })
    await store.database.insert(tables.transactions).values({
      reference: { kind: 'mint', jobId: 'one', attempt: 1 },
      chainId: 1,
      sender: '0x01',
      nonce: 1,
      hash: '0x02',
      raw: '0x03',
      status: 'mined',
      createdAt: at,
      updatedAt: at,
    })
  })
  afterAll(() => store.close())

  test('reads a row whose values are all known', async () => {
    expect(await store.database.select().from(tables.jobs)).toMatchObject([
      { status: 'pending', type: 'mint', blockchain: 'base' },
    ])
  })

  test.each([
    ['status', 'refunded'],
    ['type', 'melt'],
    ['blockchain', 'moon'],
  ])('reports a job whose %s is %s', async (column, word) => {
    const change = sql`update jobs set ${sql.identifier(column)} = ${word}`
    expect(await after(store, change, tables.jobs)).toMatchObject({
      name: 'UnknownRowError',
      field: column,
      message: expect.stringContaining(word),
    })
  })

  test('reports a transaction with an unknown reference', async () => {
    const change = sql`update transactions set reference = '{"kind":"refund"}'`
    expect(await after(store, change, tables.transactions)).toMatchObject({
      name: 'UnknownRowError',
      field: 'reference',
      message: expect.stringContaining('refund'),
    })
  })
})

/** Returns the result or error of a query after a change, which is then rolled back. */
async function after(
  store: Store,
  change: SQL,
  table: typeof tables.jobs | typeof tables.transactions,
): Promise<unknown> {
  let outcome: unknown
  await store.database
    .transaction(async (work) => {
      await work.execute(change)
      outcome = await work
        .select()
        .from(table)
        .catch((error: unknown) => error)
      work.rollback()
    })
    .catch(() => {})
  return outcome
}

describe('references', () => {
  test.each<Reference>([
    { kind: 'redeem', blockchain: 'base', wallet: '0x01', nonce: '0x02', attempt: 1 },
    { kind: 'bridge', sourceChainId: 8453, messageId: '0x03', attempt: 2 },
    { kind: 'mint', jobId: 'one', attempt: 1 },
    { kind: 'deploy', blockchain: 'eth', wallet: '0x01', attempt: 1 },
    { kind: 'whitelist', id: 'one' },
    { kind: 'gone', id: 1, was: { kind: 'mint', jobId: 'one', attempt: 1 } },
  ])('a reference of kind $kind survives a round trip', (reference) => {
    expect(parseReference(JSON.parse(JSON.stringify(reference)))).toEqual(reference)
  })

  test.each([
    [{ kind: 'refund', jobId: 'one', attempt: 1 }],
    [{ kind: 'mint', jobId: 'one' }],
    [{ kind: 'mint', jobId: 'one', attempt: 0 }],
    [{ kind: 'mint', jobId: 'one', attempt: 1, more: 1 }],
    [{ kind: 'redeem', blockchain: 'moon', wallet: '0x01', nonce: '0x02', attempt: 1 }],
    ['mint/one/1'],
    [null],
  ])('the error for the unknown reference %j quotes it', (value) => {
    expect(() => parseReference(value)).toThrow(
      expect.objectContaining({ name: 'UnknownRowError', field: 'reference' }),
    )
  })
})

describe('copyRows', () => {
  let store: Store
  beforeAll(async () => {
    store = await openStore()
  })
  afterAll(() => store.close())

  const hex = (digit: string) => `0x${digit.repeat(64)}` as const
  const transaction = (nonce: number) => ({
    reference: { kind: 'mint', jobId: `job ${nonce}`, attempt: 1 } as const,
    chainId: 1,
    sender: hex('a'),
    nonce,
    hash: hex('b'),
    raw: hex('c'),
    replaced: [{ hash: hex('d'), raw: hex('e') }],
    status: 'mined' as const,
    blockNumber: 7,
    gasUsed: 2n ** 200n + 1n,
    createdAt: new Date('2026-05-01T12:00:00.123Z'),
    updatedAt: new Date(0),
  })

  test('restores every row and sequence, with big numbers, times and nested values', async () => {
    const { database, queue } = store
    const insert = (nonce: number) =>
      database.insert(tables.transactions).values(transaction(nonce)).returning()
    await insert(1)
    await database.transaction((work) => queue.send(work, 'first'))
    const all = async () => ({
      transactions: await database.select().from(tables.transactions),
      jobs: (await sqlOf(database).executeSql('select * from redeemkit_jobs.job order by id')).rows,
    })
    const before = await all()
    expect(before.jobs).toHaveLength(1)
    const copy = await copyRows(database)

    await database.update(tables.transactions).set({ status: 'dropped', gasUsed: null })
    await insert(2)
    await database.insert(tables.sandboxClock).values({ name: 'service', offsetMs: 5 })
    await database.transaction((work) => queue.send(work, 'second'))
    await putBackRows(database, copy)

    expect(await all()).toEqual(before)
    expect(await database.select().from(tables.sandboxClock)).toEqual([])
    expect((await insert(3))[0]?.id).toBe((before.transactions[0]?.id ?? 0) + 1)
  })

  test('a copy can be restored repeatedly', async () => {
    const { database } = store
    const copy = await copyRows(database)
    const before = await database.select().from(tables.transactions)
    for (const _ of [1, 2]) {
      await database.delete(tables.transactions)
      await putBackRows(database, copy)
      expect(await database.select().from(tables.transactions)).toEqual(before)
    }
  })
})
