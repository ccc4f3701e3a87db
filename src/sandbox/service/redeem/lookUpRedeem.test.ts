import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { openStore } from '../../store/openStore.ts'
import { lookUpRedeem } from './lookUpRedeem.ts'

onEachDatabase(({ create }) => {
  test('a query planned on empty tables still uses the indexes once the tables are full', async () => {
    const { database, close } = await openStore(await create())
    const hex = (value: number, bytes: number): Hex => `0x${value.toString(16).padStart(2 * bytes, '0')}`
    const lookUp = (number: number) =>
      lookUpRedeem(
        { database: async () => database },
        // The query reads no other fields of a customer.
        {
          chain: { blockchain: 'base' },
          wallet: hex(number, 20),
          nonce: hex(number, 32),
          merchantId: 'shop',
        } as Parameters<typeof lookUpRedeem>[1],
      )
    // PostgreSQL may keep the plan of a prepared statement after five executions.
    for (let times = 0; times < 10; times++) await lookUp(times)
    const wallet = sql`'0x' || lpad(to_hex(n), 40, '0'), '0x' || lpad(to_hex(n), 64, '0')`
    await database.execute(
      sql`insert into intents (blockchain, wallet, nonce, merchant_id, salt, settlement_hash, amount, usdc_amount, block_number, created_at) select 'base', ${wallet}, 'shop', '0x', '0x', 1, 0, 1, now() from generate_series(1, 5000) n`,
    )
    await database.execute(
      sql`insert into redeems (blockchain, wallet, nonce, merchant_id, kind, amount, usdc_amount, gas_fee, status, attempt, hash, created_at, updated_at) select 'base', ${wallet}, 'shop', 'token', 1, 0, 1, 'redeemed', 1, '0x', now(), now() from generate_series(1, 5000) n`,
    )
    const found = await Promise.all([1, 2, 3, 4, 5].map(lookUp))
    expect(found.map(({ redeem }) => redeem?.nonce)).toEqual([1, 2, 3, 4, 5].map((n) => hex(n, 32)))
    await database.execute(sql`select pg_stat_force_next_flush()`)
    const rowsRead = sql`select sum(seq_tup_read + idx_tup_fetch)::int as count from pg_stat_user_tables where relname in ('intents', 'redeems')`
    const { rows } = (await database.execute(rowsRead)) as unknown as { rows: { count: number }[] } // the result of both drivers
    expect(rows[0]?.count).toBeLessThan(100)
    await close()
  })
})
