import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import type { Database } from './database.ts'
import { guardStatements } from './databaseOf.ts'
import { openStore, type Store } from './openStore.ts'
import { given, rowsFrom, statement, toRows } from './statement.ts'
import { redeems, transactions, webhookEvents } from './tables/index.ts'

const at = new Date('2026-05-01T12:00:00.123Z')
const redeem = {
  blockchain: 'base',
  wallet: '0x01',
  nonce: '0x02',
  merchantId: `the "shop"\\ ' $1`,
  shape: 'token',
  amount: 2n ** 256n - 1n,
  usdcAmount: 0n,
  gasFee: 10_000n,
  status: 'sending',
  attempt: 1,
  hash: '0x03',
  createdAt: at,
  updatedAt: at,
} as const
const event = { id: 'one', merchantId: 'shop', type: 'redeemed', createdAt: at } as const

onEachDatabase(({ create }) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await create())
  })
  beforeEach(async () => {
    for (const table of [redeems, webhookEvents, transactions]) await store.database.delete(table)
  })
  afterAll(() => store?.close())

  const insertRedeems = statement((database) => database.insert(redeems).select(rowsFrom(redeems)))
  const insertEvents = statement((database) => database.insert(webhookEvents).select(rowsFrom(webhookEvents)))

  test('inserting rows as one value equals inserting them one by one', async () => {
    const other = { ...redeem, nonce: '0x04', reported: 'redeemed' } as const
    await store.database.insert(redeems).values([redeem, other])
    const expected = await store.database.select().from(redeems)
    await store.database.delete(redeems)
    await insertRedeems(store.database, { rows: toRows(redeems, [redeem, other]) })
    expect(await store.database.select().from(redeems)).toEqual(expected)
    expect(expected).toMatchObject([{ ...redeem, reported: null }, other])
  })

  test('JSON is not changed, and rows are numbered in order', async () => {
    const data = { amount: '10.00', list: [1, null, { text: `it's "quoted"` }] }
    const rows = ['one', 'two'].map((id) => ({ ...event, id, data }))
    await insertEvents(store.database, { rows: toRows(webhookEvents, rows) })
    const stored = await store.database.select().from(webhookEvents).orderBy(webhookEvents.sequence)
    expect(stored).toMatchObject([
      { id: 'one', data, createdAt: at, dispatchedAt: null },
      { id: 'two', data },
    ])
    expect(stored[1]?.sequence).toBe((stored[0]?.sequence ?? 0) + 1)
  })

  test('a statement is built once, takes new values each time, and is part of its transaction', async () => {
    let built = 0
    const setFee = statement((database) => {
      built++
      const { gasFee, nonce, reported } = redeems
      return database
        .update(redeems)
        .set({ gasFee: given(gasFee, 'fee'), reported: given(reported, 'reported') })
        .where(eq(nonce, sql.placeholder('nonce')))
        .returning({ gasFee, reported })
    })
    await store.database.insert(redeems).values(redeem)
    const set = (work: Parameters<typeof setFee>[0], fee: bigint, reported: string | null) =>
      setFee(work, { nonce: '0x02', fee, reported })
    expect(await set(store.database, 5n, 'redeemed')).toEqual([{ gasFee: 5n, reported: 'redeemed' }])
    expect(await set(store.database, 6n, null)).toEqual([{ gasFee: 6n, reported: null }])
    expect(built).toBe(1)
    const undone = store.database.transaction(async (work) => {
      expect(await set(work, 7n, null)).toEqual([{ gasFee: 7n, reported: null }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await store.database.select().from(redeems)).toMatchObject([{ gasFee: 6n }])
  })
})

describe('guardStatements', () => {
  /** Runs a statement on a database that fails with the given error. */
  async function failing(error: Error): Promise<unknown> {
    const session = {
      prepareQuery: () => ({
        execute: async () => {
          throw error
        },
      }),
    }
    // Only the session is used.
    guardStatements({ _: { session } } as unknown as Database) // no other field is read
    return session
      .prepareQuery()
      .execute()
      .catch((caught: unknown) => caught)
  }

  test.each([
    ['08006', 'DatabaseUnavailableError', 'The database is unavailable (08006).'],
    ['57P01', 'DatabaseUnavailableError', 'The database is unavailable (57P01).'],
    // The code of a full disk.
    ['53100', 'DatabaseUnavailableError', 'The database is unavailable (53100).'],
    ['53300', 'DatabaseUnavailableError', 'The database is unavailable (53300).'],
    ['23505', 'DatabaseStatementError', 'The database rejected the statement (23505).'],
  ])('PostgreSQL state %s is a %s', async (code, name, shortMessage) => {
    const error = Object.assign(new Error('with parameters'), { code })
    expect(await failing(error)).toMatchObject({ name, shortMessage })
  })
})
