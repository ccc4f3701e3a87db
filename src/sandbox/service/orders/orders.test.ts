import { eq } from 'drizzle-orm'
import { type Hex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { openStore, type Store, toStore } from '../../store/openStore.ts'
import { orderClaims } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { claimOrders, type OrderAttempt, type OrderClaim } from './claimOrders.ts'
import { checkClaim, refuseRedeemedElsewhere } from './orderProblems.ts'

const orderKey: Hex = `0x${'cf'.repeat(12)}`
const end = 1_000_000n
const newest = 100
const confirmations = 2
const at = new Date(0)
const claim: OrderClaim = {
  merchantId: 'shop',
  wallet: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  orderKey,
  blockchain: 'arbitrum',
  nonce: `${orderKey}${'01'.repeat(20)}`,
  validBefore: end,
  redeemedIn: null,
  createdAt: at,
  updatedAt: at,
}
const states = { unused: 0, redeemed: 1, cancelled: 2 } as const
type State = keyof typeof states
type Moment = { state: State; time: bigint }

/** The claim's chain, as its state is now and as it was two blocks ago. */
function chainOf(now: Moment, then: Moment = now, depth = 0): EvmChain {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const momentAt = (block: unknown) =>
    block === 'latest' || block === 'pending' || block === numberToHex(newest) ? now : then
  const request = async ({ method, params }: { method: string; params: readonly unknown[] }) => {
    if (method === 'eth_getBlockByNumber') {
      const number = numberToHex(momentAt(params[0]) === now ? newest : newest - confirmations)
      return {
        number,
        hash: number,
        parentHash: number,
        timestamp: numberToHex(momentAt(params[0]).time),
      }
    }
    if (method === 'eth_call') return `0x${word(states[momentAt(params[1]).state])}${word(0)}${word(0)}`
    throw new Error(`The fake node has no ${method}.`)
  }
  const creditsContract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  // The code under test reads no other fields.
  return { blockchain: 'arbitrum', creditsContract, confirmations: depth, client: { request } } as never
}

/** Checks a new attempt of the order on Base while its claim is on Arbitrum. */
const check = (chain: EvmChain | undefined, change: Partial<OrderClaim> = {}) =>
  checkClaim(
    {
      chains: new Map(chain && [['arbitrum', chain]]),
      database: () => Promise.reject(new Error('The event is looked up.')),
    } as Pick<Service, 'chains' | 'database'>,
    {
      claim: { ...claim, ...change },
      attempt: { blockchain: 'base', nonce: `${orderKey}${'02'.repeat(20)}` },
      terms: { creditSeed: 'shop' } as never, // compared with the redeem that was found
    },
  )
const underway = { code: 'ORDER_UNDERWAY', details: { blockchain: 'arbitrum', nonce: claim.nonce } }

test('an order is free without a claim, and for the attempt that claimed it', async () => {
  const options = { attempt: claim, terms: {} as never } // not read
  const service = { chains: new Map(), database: () => expect.unreachable() } as never // not read
  expect(await checkClaim(service, { ...options, claim: undefined })).toBeUndefined()
  expect(await checkClaim(service, { ...options, claim })).toBeUndefined()
})

test.each([
  ['a claim is underway a second before the permit expires', 'unused', end - 1n, 'underway'],
  ['a claim has ended when the permit has expired', 'unused', end, 'ended'],
  ['a claim has ended when the order is cancelled', 'cancelled', end - 1n, 'ended'],
] as const)('on a chain without reorgs, %s', async (_, state, time, fate) => {
  const checked = check(chainOf({ state, time }))
  if (fate === 'ended') expect(await checked).toMatchObject({ nonce: claim.nonce })
  else await expect(checked).rejects.toMatchObject(underway)
})

test.each<[string, Moment, Moment, 'underway' | 'ended']>([
  [
    'a claim is underway while a reorg could undo the cancellation',
    { state: 'cancelled', time: end - 1n },
    { state: 'unused', time: end - 9n },
    'underway',
  ],
  [
    'a claim is underway while a reorg could undo cancellation and expiry',
    { state: 'cancelled', time: end + 9n },
    { state: 'unused', time: end },
    'underway',
  ],
  [
    'a claim has ended once the cancellation has enough confirmations',
    { state: 'cancelled', time: end - 1n },
    { state: 'cancelled', time: end - 9n },
    'ended',
  ],
  [
    'a claim has ended once the expiry has enough confirmations',
    { state: 'unused', time: end + 9n },
    { state: 'unused', time: end },
    'ended',
  ],
  [
    'a claim is underway while the expiry lacks confirmations',
    { state: 'unused', time: end + 9n },
    { state: 'unused', time: end - 1n },
    'underway',
  ],
])('on a chain with reorgs, %s', async (_, now, then, fate) => {
  const checked = check(chainOf(now, then, confirmations))
  if (fate === 'ended') expect(await checked).toMatchObject({ nonce: claim.nonce })
  else await expect(checked).rejects.toMatchObject(underway)
})

test('a claim is underway while its chain has fewer blocks than the confirmations', async () => {
  const chain = chainOf({ state: 'cancelled', time: end }, undefined, newest + 1)
  await expect(check(chain)).rejects.toMatchObject(underway)
})

test.each([0, confirmations])(
  'a redeemed order is looked up and never free (%i confirmations)',
  async (depth) => {
    const chain = chainOf({ state: 'redeemed', time: end + 9n }, { state: 'unused', time: end }, depth)
    await expect(check(chain)).rejects.toThrow('The event is looked up.')
  },
)

test('the stored claim decides if the service no longer has the chain', async () => {
  await expect(check(undefined)).rejects.toMatchObject(underway)
  const redeemedIn: Hex = `0x${'33'.repeat(32)}`
  await expect(check(undefined, { redeemedIn })).rejects.toMatchObject({
    code: 'ORDER_ALREADY_PAID',
    details: { hash: redeemedIn, blockchain: 'arbitrum' },
  })
})

describe('orderProblems', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const creditsContract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  /** A chain whose node responds as given; no other field is used. */
  const chainOf = (blockchain: string, request: () => Promise<unknown>) =>
    ({ blockchain, creditsContract, client: { request } }) as unknown as EvmChain

  test('nodes that fail or do not respond within two seconds are skipped and reported', async () => {
    const base = chainOf('base', () => expect.unreachable('the paying chain is read elsewhere'))
    const others = [
      chainOf('arbitrum', () => Promise.reject(new Error('down'))),
      chainOf('polygon', () => new Promise(() => {})),
    ]
    const reported: unknown[] = []
    const service = {
      chains: new Map([base, ...others].map((chain) => [chain.blockchain, chain])),
      database: () => expect.unreachable('nothing was found'),
      onError: (error: unknown) => void reported.push(error),
    } as unknown as Service // no other field is used
    let isOver = false
    const refusal = refuseRedeemedElsewhere(service, {
      chain: base,
      wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      orderKey: `0x${'80'.repeat(12)}`,
      terms: { creditSeed: 'shop' } as never, // compared with the redeem that was found
    }).then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await refusal
    expect(reported.map(String)).toEqual([
      expect.stringContaining('could not be read on arbitrum'),
      expect.stringContaining('could not be read on polygon'),
    ])
  })
})

describe('claimOrders', () => {
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

    test('an order has one claimed attempt at a time, across chains and nonces', async () => {
      expect(await claim(attempt)).toEqual([])
      expect(await claim(other)).toEqual([other])
      const elsewhere = { ...attempt, blockchain: 'arbitrum' } as const // keeps the literal type
      expect(await claim(elsewhere)).toEqual([elsewhere])
      expect(await row()).toMatchObject({ blockchain: 'base', nonce: attempt.nonce, redeemedIn: null })
      // Other wallets, merchants and orders have separate claims.
      const free = [
        { ...attempt, wallet: '0x2222222222222222222222222222222222222222' },
        { ...attempt, merchantId: 'other' },
        { ...attempt, orderKey: `0x${'ce'.repeat(12)}` },
      ] as const // keeps the literal types
      expect(await claim(other, ...free)).toEqual([other])
    })

    test('claiming an attempt again keeps the latest expiry of its permits', async () => {
      await claim(attempt)
      expect(await claim({ ...attempt, validBefore: 2_000n })).toEqual([])
      expect(await claim({ ...attempt, validBefore: 1_500n })).toEqual([])
      expect((await row())?.validBefore).toBe(2_000n)
    })

    test('an ended claim is replaced only if it is unchanged', async () => {
      await claim(attempt)
      const ended = await row()
      // Meanwhile, a later permit of the same attempt was submitted.
      await claim({ ...attempt, validBefore: 2_000n })
      expect(await claim({ ...other, ended })).toHaveLength(1)
      const now = await row()
      expect(await claim({ ...other, validBefore: 500n, ended: now })).toEqual([])
      expect(await row()).toMatchObject({ nonce: other.nonce, validBefore: 500n })
      // A different attempt has replaced the claim, so the earlier read is stale.
      const third = { ...attempt, nonce: `0x${'cf'.repeat(12)}${'03'.repeat(20)}`, ended: now } as const // keeps the literal type
      expect(await claim(third)).toEqual([third])
    })

    test('only one of many concurrent attempts claims the order', async () => {
      const attempts = Array.from({ length: 16 }, (_, index) => ({
        ...attempt,
        nonce: `0x${'cf'.repeat(12)}${index.toString(16).padStart(2, '0').repeat(20)}` as const, // keeps the literal type
      }))
      const late = (await Promise.all(attempts.map((one) => claim(one)))).flat()
      expect(late).toHaveLength(attempts.length - 1)
    })
  })
})
