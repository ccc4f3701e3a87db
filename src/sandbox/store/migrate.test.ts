import { PGlite } from '@electric-sql/pglite'
import { asc } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isFor } from './isFor.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import * as tables from './tables/index.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const nonce = `0x${'ab'.repeat(32)}`

/** A database as version 0.1 of the tables left it: migrations 0000 to 0002, references as text. */
describe('a database of references as text', () => {
  let client: PGlite
  let dump: Blob
  beforeAll(async () => {
    const first = await PGlite.create()
    await first.exec(
      'create table redeemkit_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    for (const { name, statements } of migrations.slice(0, 3)) {
      for (const statement of statements) await first.exec(statement)
      await first.query('insert into redeemkit_migrations (name) values ($1)', [name])
    }
    dump = await first.dumpDataDir('none')
    await first.close()
  })
  beforeEach(async () => {
    client = await PGlite.create({ loadDataDir: dump })
  })
  afterEach(() => client.close())

  const insert = (reference: string, laneNonce: number, status = 'broadcast') =>
    client.query(
      `insert into transactions (reference, chain_id, sender, nonce, hash, raw, status, created_at, updated_at)
        values ($1, 84532, '0x01', $2, '0x02', '0x03', $3, now(), now())`,
      [reference, laneNonce, status],
    )
  const migrated = async () => {
    const database = drizzle({ client, schema: tables })
    await migrate(database)
    return database
  }

  test('becomes one of typed references', async () => {
    const references = [
      [`redeem/base/${wallet}/${nonce}/2`, { kind: 'redeem', blockchain: 'base', wallet, nonce, attempt: 2 }],
      [`bridge/84532/${nonce}/11`, { kind: 'bridge', sourceChainId: 84532, messageId: nonce, attempt: 11 }],
      ['mint/5d1b6f2a-07c1/1', { kind: 'mint', jobId: '5d1b6f2a-07c1', attempt: 1 }],
      [`deploy/base/${wallet}/1`, { kind: 'deploy', blockchain: 'base', wallet, attempt: 1 }],
      ['whitelist/8c5e-11', { kind: 'whitelist', id: '8c5e-11' }],
      [`gone/17/bridge/84532/${nonce}/1`, { kind: 'gone', id: 17, was: `bridge/84532/${nonce}/1` }],
    ] as const
    for (const [at, [text]] of references.entries()) await insert(text, at)
    const database = await migrated()
    const rows = await database.select().from(tables.transactions).orderBy(asc(tables.transactions.nonce))
    expect(rows.map(({ reference, nonce }) => ({ reference, nonce }))).toEqual(
      references.map(([, reference], at) => ({ reference, nonce: at })),
    )
  })

  test('is found by what it is for, and what it was for is not done again', async () => {
    await insert('mint/one/1', 1, 'dropped')
    await insert('mint/one/2', 2)
    await insert('mint/other/1', 3)
    const database = await migrated()
    const rows = await database
      .select()
      .from(tables.transactions)
      .where(isFor({ kind: 'mint', jobId: 'one' }))
      .orderBy(asc(tables.transactions.id))
    expect(rows.map(({ status }) => status)).toEqual(['dropped', 'broadcast'])
    const again = database
      .insert(tables.transactions)
      .values({ ...lastOf(rows), id: 99, nonce: 4 })
      .onConflictDoNothing()
      .returning()
    expect(await again).toEqual([])
  })

  test('with text that no version wrote: stays as it is, and the error names the text', async () => {
    await insert('refund/one', 1)
    await expect(migrated()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('invalid input syntax for type json') },
    })
    const { rows } = await client.query('select reference from transactions')
    expect(rows).toEqual([{ reference: 'refund/one' }])
  })

  test('says of each transfer whether it paid rent', async () => {
    const transfers = [
      ['one', 'solana', '{"rent":{"lamports":"2039280"},"memo":"one"}', true],
      ['two', 'solana', '{"rent":{"lamports":"0"},"memo":"one"}', false],
      ['three', 'stellar', '{"sequence":"1"}', false],
    ] as const
    for (const [id, blockchain, prepared] of transfers)
      await client.query(
        `insert into usdc_transfers (id, blockchain, wallet, destination, amount, sponsor, prepared, status, expires_at, created_at)
          values ($1, $2, 'from', 'to', 1, 'sponsor', $3, 'settled', now(), now())`,
        [id, blockchain, prepared],
      )
    const database = await migrated()
    const rows = await database.select().from(tables.usdcTransfers)
    expect(new Map(rows.map(({ id, paysRent }) => [id, paysRent]))).toEqual(
      new Map(transfers.map(([id, , , paysRent]) => [id, paysRent])),
    )
  })
})

function lastOf<row>(rows: readonly row[]): row {
  const row = rows.at(-1)
  if (row === undefined) throw new Error('There is no row.')
  return row
}
