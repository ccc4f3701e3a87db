import { sql } from 'drizzle-orm'
import { type Hex, TransactionReceiptNotFoundError } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { openStore, type Store } from '../../store/openStore.ts'
import { merchants, redeems } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { checkUnderway } from './checkUnderway.ts'
import { lookUpRedeem } from './lookUpRedeem.ts'

const wallet = '0x1111111111111111111111111111111111111111'
const hash = `0x${'22'.repeat(32)}` as const // keeps the literal type
let store: Store

beforeAll(async () => {
  store = await openStore()
  await store.database
    .insert(merchants)
    .values(['shop', 'other'].map((merchantId) => ({ merchantId, creditSeed: merchantId })))
})
beforeEach(async () => {
  await store.database.delete(redeems)
})
afterAll(() => store?.close())

type Pending = Partial<typeof redeems.$inferInsert>
let nonces = 0
/** Stores a redeem of 600 credits that was sent with a transaction. */
async function send(change: Pending = {}) {
  const at = new Date(0)
  await store.database.insert(redeems).values({
    blockchain: 'base',
    wallet,
    nonce: `0x${(++nonces).toString(16).padStart(64, '0')}`,
    merchantId: 'shop',
    shape: 'token',
    amount: 600n,
    usdcAmount: 0n,
    gasFee: 0n,
    status: 'sending',
    attempt: 1,
    hash,
    createdAt: at,
    updatedAt: at,
    ...change,
  })
}

type Asked = { minedIn?: bigint; charged?: bigint; usdcAmount?: bigint }
/** Checks a redeem of a wallet that has 1,000 credits and 500 USDC at block 100. */
const check = ({ minedIn, charged = 500n, usdcAmount = 0n }: Asked = {}) =>
  checkUnderway(
    { kind: 'randomNonce', database: async () => store.database } as Partial<Service> as Service, // no other field is used
    {
      chain: {
        blockchain: 'base',
        creditsContract: wallet,
        usdc: hash,
        client: {
          getBlockNumber: async () => 100n,
          readContract: async ({
            functionName,
            blockNumber,
          }: {
            functionName: string
            blockNumber: bigint
          }) => {
            expect(blockNumber).toBe(100n)
            if (functionName === 'creditsOf') return 1000n
            if (functionName === 'balanceOf') return 500n
            throw new Error(`A random-nonce contract has no ${functionName}.`)
          },
          getTransactionReceipt: async () => {
            if (minedIn === undefined) throw new TransactionReceiptNotFoundError({ hash })
            return { blockNumber: minedIn }
          },
        },
      } as unknown as EvmChain, // no other field is used
      wallet,
      creditSeed: 'shop',
      charged,
      usdcAmount,
    },
  )
const refusal = (asked?: Asked) =>
  check(asked).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )

test.each([
  ['without a receipt counts as pending', undefined, 'INSUFFICIENT_CREDITS'],
  ['mined after the balance was read counts as pending', 101n, 'INSUFFICIENT_CREDITS'],
  ['mined up to the balance’s block does not count as pending', 100n, undefined],
])('a redeem %s', async (_, minedIn, code) => {
  await send()
  expect(await refusal(minedIn === undefined ? {} : { minedIn })).toBe(code)
})

// The wallet has 1,000 credits, and the new redeem takes 500 of them.
test.each<[string, Pending[], boolean]>([
  ['nothing is pending', [], true],
  ['the other 500 credits are pending', [{ amount: 500n }], true],
  ['501 credits are pending', [{ amount: 501n }], false],
  ['500 credits and a fee are pending', [{ amount: 500n, gasFee: 1n }], false],
  ['500 credits and a USDC part are pending', [{ amount: 501n, usdcAmount: 1n }], true],
  [
    'two redeems of 501 credits in total are pending',
    [{ amount: 300n }, { amount: 201n, status: 'alone' }],
    false,
  ],
  ['the pending redeem takes credits of another merchant', [{ merchantId: 'other' }], true],
  [
    'the pending redeem is of another wallet',
    [{ wallet: '0x2222222222222222222222222222222222222222' }],
    true,
  ],
  ['the pending redeem is on another chain', [{ blockchain: 'polygon' }], true],
  ['the redeems have ended', [{ status: 'redeemed' }, { status: 'reverted' }], true],
])('whether the credits suffice is known if %s', async (_, pending, isEnough) => {
  for (const one of pending) await send(one)
  expect(await refusal()).toBe(isEnough ? undefined : 'INSUFFICIENT_CREDITS')
})

test('credits that another redeem spent after the simulation are not available', async () => {
  await send({ status: 'redeemed' })
  expect(await refusal({ charged: 1000n })).toBe(undefined)
  expect(await refusal({ charged: 1001n })).toBe('INSUFFICIENT_CREDITS')
})

// The wallet has 500 USDC, which count for the redeems of all merchants.
test.each<[bigint, Pending[], boolean]>([
  [200n, [{ amount: 300n, usdcAmount: 300n }], true],
  [201n, [{ amount: 300n, usdcAmount: 300n }], false],
  [201n, [{ amount: 300n, usdcAmount: 300n, merchantId: 'other' }], false],
  [
    100n,
    [
      { amount: 300n, usdcAmount: 300n },
      { amount: 101n, usdcAmount: 101n },
    ],
    false,
  ],
  [0n, [{ amount: 600n, usdcAmount: 600n }], true],
  // The other redeem may have ended after this one was simulated.
  [500n, [{ amount: 100n, usdcAmount: 100n, status: 'redeemed' }], true],
  [501n, [{ amount: 100n, usdcAmount: 100n, status: 'redeemed' }], false],
])('%d USDC can be paid only if pending redeems leave it', async (usdcAmount, pending, isEnough) => {
  for (const one of pending) await send(one)
  expect(await refusal({ charged: 0n, usdcAmount })).toBe(isEnough ? undefined : 'SIMULATION_FAILED')
})

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
