// @vitest-environment happy-dom

import { QueryClient } from '@tanstack/query-core'
import { disconnect } from '@wagmi/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { pinned } from '../../redeem/redeem.fixture.ts'
import type { CheckedPurchase } from '../../redeem/redeemOptions.ts'
import { loadEngine } from '../engine/loadEngine.ts'
import * as entryPoint from '../index.ts'
import { chainId, hash, mockShop, otherChainId, purchase, wallet, world } from '../wagmi.fixture.ts'

beforeAll(loadEngine)

const all = Object.entries(entryPoint).filter(([name]) => name.endsWith('QueryOptions'))
/** Queries that need no wallet. */
const forVisitors = ['getTotalsQueryOptions']

/** Creates a page whose kit pins two chains, and the options of a query on that page. */
async function page(isConnected = true) {
  const at = world({
    kit: {
      pins: [
        { ...pinned, chainId },
        { ...pinned, chainId: otherChainId },
      ],
    },
  })
  if (isConnected) await at.connect()
  // Parameters of all queries; each function uses its own.
  const optionsOf = (make: unknown, change: object = {}) =>
    (make as typeof entryPoint.prepareRedeemQueryOptions)(at.config, { kit: at.kit, ...purchase, ...change })
  return { ...at, optionsOf }
}

/** The result of each query in the mock. */
const results: Record<string, unknown> = {
  getAccountNameQueryOptions: { address: wallet, name: null },
  getBalancesQueryOptions: { credits: { cents: 100_000 }, usdc: { cents: 100_000 } },
  getOpenRedeemsQueryOptions: { open: [], unreadable: [] },
  getPlansQueryOptions: [{ code: 'monthly' }, { code: 'yearly' }],
  getSessionQueryOptions: null,
  getTotalsQueryOptions: { card: { total: { cents: 1029 } }, pix: { total: { cents: 1010 } } },
  prepareRedeemQueryOptions: { state: 'ready', prepared: { wallet, chainId } },
}

test('the list contains every query', () => {
  expect(all.map(([name]) => name).sort()).toEqual(Object.keys(results).sort())
})

describe.each(all)('%s', (name, make) => {
  const isForVisitors = forVisitors.includes(name)

  test('returns the result of its action', async () => {
    const { config, kit, connect } = mockShop()
    await connect()
    const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' }
    // Parameters of all queries; each function uses its own.
    const { queryFn } = (make as typeof entryPoint.prepareRedeemQueryOptions)(config, {
      kit,
      ...((isForVisitors ? order : purchase) as typeof purchase),
    })
    const { signal } = new AbortController()
    const found = await queryFn({ signal, client: new QueryClient() })
    expect({ found }).toMatchObject({ found: results[name] })
  })

  test('runs once a wallet is connected, and not again after a failure', async () => {
    expect((await page(false)).optionsOf(make).enabled).toBe(isForVisitors)
    const { optionsOf } = await page()
    expect(optionsOf(make)).toMatchObject({ enabled: true, retry: false })
  })

  test('can be disabled and changed by the page, but keeps its key', async () => {
    const { optionsOf } = await page()
    const query = { enabled: false, staleTime: 7, queryKey: ['mine'] }
    const { enabled, staleTime, queryKey } = optionsOf(make, { query })
    expect([enabled, staleTime, queryKey[0]]).toEqual([false, 7, 'redeemkit'])
  })

  test('has a different key for each account, and for each chain if the result depends on the chain', async () => {
    const { optionsOf, config } = await page()
    const keyOf = (change = {}) => JSON.stringify(optionsOf(make, change).queryKey)
    const own = keyOf()
    expect(keyOf({ chainId: otherChainId }) === own).toBe(name === 'getAccountNameQueryOptions')
    await disconnect(config)
    expect(keyOf()).not.toBe(own)
  })
})

describe('a check before the click', () => {
  const { prepareRedeemQueryOptions } = entryPoint
  const intervalOf = (
    { kit, config }: Awaited<ReturnType<typeof page>>,
    data: CheckedPurchase | undefined,
    dataUpdateCount = 1,
  ) => {
    const { refetchInterval } = prepareRedeemQueryOptions(config, { kit, ...purchase })
    return (refetchInterval as (query: object) => number | false)({ state: { data, dataUpdateCount } })
  }
  const run = async ({ kit, config }: Awaited<ReturnType<typeof page>>, before?: CheckedPurchase) => {
    const { queryFn } = prepareRedeemQueryOptions(config, { kit, ...purchase })
    const { signal } = new AbortController()
    return queryFn({ signal, client: { getQueryData: () => before } as never })
  }

  test('is repeated if the cart changes', async () => {
    const { optionsOf } = await page()
    const cartOf = (productName: string) => ({
      chargebackProtectionData: [{ productName, productType: 'digitalArt', quantity: 1 }],
    })
    const keyOf = (change: object) => JSON.stringify(optionsOf(prepareRedeemQueryOptions, change).queryKey)
    expect(keyOf(cartOf('moth'))).not.toBe(keyOf(cartOf('beetle')))
  })

  test('is repeated 15 seconds before it expires, and never in a loop', async () => {
    const at = await page()
    const data = await run(at)
    expect(intervalOf(at, data)).toBe(45_000)
    at.clock.ms += 44_500
    expect(intervalOf(at, data)).toBe(1_000)
    expect(intervalOf(at, undefined)).toBe(false)
    expect(intervalOf(at, { state: 'open' } as never)).toBe(false)
  })

  test('has the same order and nonce when it is repeated', async () => {
    const at = await page()
    const first = await run(at)
    at.clock.ms += 45_000
    const second = await run(at, first)
    expect('prepared' in first && first.prepared).toEqual('prepared' in second && second.prepared)
    expect(at.asked.filter((one) => one.includes('creditsAuthMsg'))).toHaveLength(1)
  })

  test('is repeated at growing intervals if the outcome cannot be read', async () => {
    const at = await page()
    const paid = { state: 'redeemed', nonce: hash, hash } as const
    expect([1, 2, 5, 6, 60].map((checks) => intervalOf(at, paid, checks))).toEqual([
      2_000, 4_000, 32_000, 60_000, 60_000,
    ])
    expect(intervalOf(at, { ...paid, outcome: {} } as never)).toBe(false)
  })

  test('is null with random nonces, because only the click can tell what was signed', async () => {
    const { config, connect, kit } = world({ kit: { pins: [{ ...pinned, chainId, intentBound: false }] } })
    await connect()
    expect(prepareRedeemQueryOptions(config, { kit, ...purchase }).enabled).toBe(false)
    // The other chains are not affected.
    const pins = [
      { ...pinned, chainId },
      { ...pinned, chainId: otherChainId, intentBound: false },
    ]
    const mixed = world({ kit: { pins } })
    await mixed.connect()
    const isEnabled = (own: number) =>
      prepareRedeemQueryOptions(mixed.config, { kit: mixed.kit, ...purchase, chainId: own }).enabled
    expect([chainId, otherChainId].map(isEnabled)).toEqual([true, false])
  })

  test('has a key with the whole purchase, and a result that a cache can store', async () => {
    const at = await page()
    const keyOf = (change = {}) =>
      JSON.stringify(prepareRedeemQueryOptions(at.config, { kit: at.kit, ...purchase, ...change }).queryKey)
    const keys = [
      {},
      { purchaseId: 'order 1' },
      { usdcAmount: { cents: 1 } },
      { webhookInfo: { a: 1 } },
      { dryRun: true },
    ]
    expect(new Set(keys.map(keyOf)).size).toBe(keys.length)
    expect(keyOf({ dryRun: false })).toBe(keyOf())
    const { kit, config } = at
    const order = { kit, ...purchase, purchaseId: 'order 1' }
    const signer = await entryPoint.redeem(config, order)
    const { queryFn } = prepareRedeemQueryOptions(config, order)
    const { signal } = new AbortController()
    const found = await queryFn({ signal, client: { getQueryData: () => undefined } as never })
    expect(found).toMatchObject({ state: 'redeemed', outcome: signer.outcome })
    expect(JSON.parse(JSON.stringify(found))).not.toHaveProperty('outcome')
  })
})

test('a session belongs to one account on one chain', async () => {
  const { config, kit, optionsOf } = await page()
  expect(entryPoint.getSession(config, { kit })).toBeNull()
  expect(optionsOf(entryPoint.getSessionQueryOptions).queryKey[2]).toMatchObject({ wallet, chainId })
})
