import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRows, putBackRows } from './copyRows.ts'
import { sqlOf } from './openJobQueue.ts'
import { openStore, type Store } from './openStore.ts'
import * as tables from './tables/index.ts'

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
  await database.transaction((work) => queue.send(work, 'credits', { jobId: 'first' }))
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
  await database.transaction((work) => queue.send(work, 'credits', { jobId: 'second' }))
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
