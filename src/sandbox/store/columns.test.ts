import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import { openStore, type Store } from './openStore.ts'
import { parseReference, type Reference } from './reference.ts'
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

describe('references', () => {
  test.each<Reference>([
    { kind: 'redeem', blockchain: 'base', wallet: '0x01', nonce: '0x02', attempt: 1 },
    { kind: 'bridge', sourceChainId: 8453, messageId: '0x03', attempt: 2 },
    { kind: 'mint', jobId: 'one', attempt: 1 },
    { kind: 'deploy', blockchain: 'eth', wallet: '0x01', attempt: 1 },
    { kind: 'whitelist', id: 'one' },
    { kind: 'gone', id: 1, was: { kind: 'mint', jobId: 'one', attempt: 1 } },
  ])('$kind survives a round trip', (reference) => {
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
  ])('%j is refused with an error that quotes it', (value) => {
    expect(() => parseReference(value)).toThrow(
      expect.objectContaining({ name: 'UnknownRowError', field: 'reference' }),
    )
  })
})
