// @vitest-environment happy-dom
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { describe, expect, test } from 'vitest'
import * as entryPoint from '../index.ts'
import { chainId, mockShop, purchase, wallet } from '../wagmi.fixture.ts'

const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const
const nonce = `0x${'ab'.repeat(32)}`
const redeemed = { wallet, chainId, outcome: { amount: 10_000_000n } }

/** The variables and the result of each action, and the cached queries that it makes stale. */
const acts: Record<string, { variables: object; result: object; stale: string[] }> = {
  cancelPermit: {
    variables: { nonce, chainId },
    result: { hash: expect.any(String) },
    stale: ['openRedeems', 'prepareRedeem'],
  },
  checkout: {
    variables: { ...order, by: 'wire', token: 'account' },
    result: { by: 'wire', account_number: expect.any(String) },
    stale: [],
  },
  login: {
    variables: {},
    result: { wallet, chainId, blockchain: 'base' },
    stale: ['balances', 'openRedeems', 'prepareRedeem', 'session'],
  },
  redeem: { variables: purchase, result: redeemed, stale: ['balances', 'openRedeems', 'prepareRedeem'] },
  resumeRedeem: {
    variables: purchase,
    result: redeemed,
    stale: ['balances', 'openRedeems', 'prepareRedeem'],
  },
  signUsdcAuthorization: {
    variables: { amount: { cents: 400 }, payment: order },
    result: { customerUsdcTransferData: { from: wallet, value: '4000000' } },
    stale: [],
  },
  subscribe: {
    variables: { planCode: 'monthly', token: 'mock-card-1' },
    result: { paymentId: 'mock-payment-1' },
    stale: ['balances'],
  },
}

test('the list contains every action', () => {
  const names = Object.keys(entryPoint).filter((name) => name.endsWith('MutationOptions'))
  expect(names.sort()).toEqual(
    Object.keys(acts)
      .map((name) => `${name}MutationOptions`)
      .sort(),
  )
})

describe.each(Object.entries(acts))('%s', (name, { variables, result, stale }) => {
  /** Every function accepts the parameters of all actions. */
  const optionsOf = Reflect.get(
    entryPoint,
    `${name}MutationOptions`,
  ) as typeof entryPoint.redeemMutationOptions

  /** Runs the mutation on a page that has cached queries. */
  async function run(mutation?: Parameters<typeof optionsOf>[1]['mutation']) {
    const { config, kit, connect } = mockShop()
    await connect()
    const queries = new QueryClient()
    for (const what of ['balances', 'openRedeems', 'prepareRedeem', 'session'])
      queries.setQueryData(['redeemkit', what, { kit: kit.key }], 'cached')
    queries.setQueryData(['page', 'own'], 'cached')
    const options = optionsOf(config, { kit, mutation })
    const answer = await new MutationObserver(queries, options).mutate(variables as never)
    return { kit, options, queries, answer }
  }

  test('runs on the click, and is never paused or retried', () => {
    const { config, kit } = mockShop()
    expect(optionsOf(config, { kit })).toMatchObject({ networkMode: 'always', retry: false })
  })

  test('uses the kit, has its own key, and refreshes the queries that it changed', async () => {
    const { kit, options, queries, answer } = await run()
    expect(answer).toMatchObject(result)
    expect(options.mutationKey).toEqual(['redeemkit', name, { kit: kit.key }])
    const found = queries.getQueryCache().getAll()
    expect(found.filter((query) => query.isStale()).map(({ queryKey }) => queryKey[1])).toEqual(stale)
  })

  test('calls the callbacks of the page', async () => {
    const called: string[] = []
    await run({ onSuccess: () => called.push('onSuccess'), onSettled: () => called.push('onSettled') })
    expect(called).toEqual(['onSuccess', 'onSettled'])
    await run({}) // needs none
  })
})

test('a check is not reused after its redeem, because the next purchase is another order', async () => {
  const { config, kit, connect } = mockShop()
  await connect()
  const queries = new QueryClient()
  const queryKey = ['redeemkit', 'prepareRedeem']
  queries.setQueryData(queryKey, 'cached')
  await new MutationObserver(queries, entryPoint.redeemMutationOptions(config, { kit })).mutate(purchase)
  expect(queries.getQueryData(queryKey)).toBeUndefined()
})
