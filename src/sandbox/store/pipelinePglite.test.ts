import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PipelinedPglite, pipelinePglite } from './pipelinePglite.ts'

let client: PGlite
let database: PipelinedPglite
beforeAll(async () => {
  client = await PGlite.create()
  database = pipelinePglite(client)
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.query('drop table if exists kept')
  await database.query(
    'create table kept (id int primary key, words text, facts jsonb, is_so boolean, list text[], at timestamptz)',
  )
})

const insert = 'insert into kept values ($1, $2, $3, $4, $5, $6)'
const values = [1, 'schön x', { a: [1] }, true, ['a', 'b"c'], new Date(1_790_000_000_123)]

test('returns the same as PGlite, also for repeated statements', async () => {
  expect(await database.query(insert, values)).toMatchObject({ affectedRows: 1, rows: [] })
  await database.query(insert, [2, '', null, false, [], null])
  const text = 'select * from kept where id <= $1 order by id'
  const alone = await client.query(text, [2])
  for (const _ of [1, 2, 3]) {
    expect((await database.query(text, [2])).rows).toEqual(alone.rows)
    const { rows } = await database.query(text, [2], { rowMode: 'array', parsers: { 1184: (at) => at } })
    expect(rows).toMatchObject([
      [1, 'schön x', { a: [1] }, true, ['a', 'b"c'], expect.any(String)],
      [2, '', null, false, [], null],
    ])
  }
})

test('a failed statement has code and constraint, and the next one runs', async () => {
  await database.query(insert, values)
  await expect(database.query(insert, values)).rejects.toMatchObject({
    code: '23505',
    constraint: 'kept_pkey',
  })
  await expect(database.query('select nothing from kept')).rejects.toMatchObject({ code: '42703' })
  expect((await database.query('select id from kept')).rows).toEqual([{ id: 1 }])
})

test('transactions are atomic and isolated', async () => {
  const own = new Error('no')
  const failing = database.transaction(async ({ query }) => {
    await query(insert, values)
    throw own
  })
  const beside = database.query(insert, [7, null, null, null, null, null])
  await expect(failing).rejects.toBe(own)
  await beside
  await database.transaction(async ({ query }) => {
    await query(insert, [8, null, null, null, null, null])
  })
  expect((await database.query('select id from kept order by id')).rows).toEqual([{ id: 7 }, { id: 8 }])
})

test('a transaction with a failed statement is rolled back, even if its work ignores the error', async () => {
  await database.transaction(async ({ query }) => {
    await query(insert, values)
    await query(insert, values).catch(() => {})
  })
  expect((await database.query('select id from kept')).rows).toEqual([])
})

test('an ended transaction accepts no statements', async () => {
  let late: PGlite['query'] | undefined
  await database.transaction(async ({ query }) => {
    late = query
  })
  await expect((async () => late?.('select 1'))()).rejects.toThrow('has ended')
})

test('a schema change applies to prepared statements', async () => {
  await database.query(insert, values)
  const text = 'select * from kept'
  await database.query(text)
  await database.query('alter table kept add column more int default 5')
  expect((await database.query(text)).rows).toMatchObject([{ more: 5 }])
})

test('supports more statements than it keeps', async () => {
  for (let number = 0; number < 320; number++)
    expect((await database.query(`select ${number} as it where $1::int > 0`, [1])).rows).toEqual([
      { it: number },
    ])
  expect((await client.query('select count(*)::int as count from pg_prepared_statements')).rows).toEqual([
    { count: 300 },
  ])
})

test('does not keep results in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const ask = () => database.query("select repeat('x', 100000) as long")
  await ask()
  const before = heap()
  for (let times = 0; times < 300; times++) await ask()
  expect(heap() - before).toBeLessThan(10_000_000)
})
