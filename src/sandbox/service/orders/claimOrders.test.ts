import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { openStore, type Store, toStore } from '../../store/openStore.ts'
import { orderClaims } from '../../store/tables/index.ts'
import { claimOrders, type OrderAttempt } from './claimOrders.ts'

const attempt: OrderAttempt = {
  merchantId: 'shop',
  wallet: '0x1111111111111111111111111111111111111111',
  orderKey: `0x${'cf'.repeat(12)}`,
  blockchain: 'base',
  nonce: `0x${'cf'.repeat(12)}${'01'.repeat(20)}`,
  validBefore: 1_000n,
  ended: undefined,
}
const other: OrderAttempt = { ...attempt, nonce: `0x${'cf'.repeat(12)}${'02'.repeat(20)}` }
const at = new Date(1_790_000_000_000)

onEachDatabase(({ create }) => {
  let store: Store
  beforeAll(async () => {
    store = toStore(await openStore(await create()))
  })
  afterEach(() => store.database.delete(orderClaims))
  afterAll(() => store?.close())

  const claim = (...attempts: OrderAttempt[]) =>
    store.database.transaction((inside) => claimOrders(inside, { attempts, at }))
  const row = async () =>
    (await store.database.select().from(orderClaims).where(eq(orderClaims.orderKey, attempt.orderKey)))[0]

  test('an order has one attempt at a time, across chains and nonces', async () => {
    expect(await claim(attempt)).toEqual([])
    expect(await claim(other)).toEqual([other])
    const elsewhere = { ...attempt, blockchain: 'arbitrum' } as const // for the name's type
    expect(await claim(elsewhere)).toEqual([elsewhere])
    expect(await row()).toMatchObject({ blockchain: 'base', nonce: attempt.nonce, redeemedIn: null })
    // Other wallets, merchants and orders have their own claims.
    const free = [
      { ...attempt, wallet: '0x2222222222222222222222222222222222222222' },
      { ...attempt, merchantId: 'other' },
      { ...attempt, orderKey: `0x${'ce'.repeat(12)}` },
    ] as const // for the types of hex
    expect(await claim(other, ...free)).toEqual([other])
  })

  test('repeating an attempt keeps the latest expiry of its permits', async () => {
    await claim(attempt)
    expect(await claim({ ...attempt, validBefore: 2_000n })).toEqual([])
    expect(await claim({ ...attempt, validBefore: 1_500n })).toEqual([])
    expect((await row())?.validBefore).toBe(2_000n)
  })

  test('an ended claim is replaced only if it is unchanged', async () => {
    await claim(attempt)
    const ended = await row()
    // A later permit of the same attempt was submitted in between.
    await claim({ ...attempt, validBefore: 2_000n })
    expect(await claim({ ...other, ended })).toHaveLength(1)
    const now = await row()
    expect(await claim({ ...other, validBefore: 500n, ended: now })).toEqual([])
    expect(await row()).toMatchObject({ nonce: other.nonce, validBefore: 500n })
    // Another attempt has replaced it, so the earlier read is stale.
    const third = { ...attempt, nonce: `0x${'cf'.repeat(12)}${'03'.repeat(20)}`, ended: now } as const // for the type of hex
    expect(await claim(third)).toEqual([third])
  })

  test('of many concurrent attempts, one claims', async () => {
    const attempts = Array.from({ length: 16 }, (_, index) => ({
      ...attempt,
      nonce: `0x${'cf'.repeat(12)}${index.toString(16).padStart(2, '0').repeat(20)}` as const, // for the type of hex
    }))
    const late = (await Promise.all(attempts.map((one) => claim(one)))).flat()
    expect(late).toHaveLength(attempts.length - 1)
  })
})
