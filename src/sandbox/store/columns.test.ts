import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
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

  test('reads a row with known values', async () => {
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

/** The result or error of a query after a change that is then rolled back. */
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
