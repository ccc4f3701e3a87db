import { describe, expect, test } from 'vitest'
import { forksToStart } from './chainsToStart.ts'
import { merchantsToStart, newKeys } from './keptSettings.ts'

const names = ['base', 'arbitrum'] as const
const forkUrl = 'https://base.example/key'

test('without forkUrl, all chains are fresh', () => {
  expect([...forksToStart({}, { names })]).toEqual([])
})

test('a single URL applies to the requested chain, not to its bridge destination', () => {
  expect([...forksToStart({ forkUrl, forkBlockNumber: 7 }, { names })]).toEqual([
    ['base', { forkUrl, forkBlockNumber: 7 }],
  ])
})

test('named URLs and blocks apply to their chains', () => {
  const other = 'https://arbitrum.example/key'
  const options = { forkUrl: { base: forkUrl, arbitrum: other }, forkBlockNumber: { arbitrum: 0 } }
  expect([...forksToStart(options, { names })]).toEqual([
    ['base', { forkUrl, forkBlockNumber: undefined }],
    ['arbitrum', { forkUrl: other, forkBlockNumber: 0 }],
  ])
})

test('a single block applies to the only fork', () => {
  const options = { forkUrl: { arbitrum: forkUrl }, forkBlockNumber: 7 }
  expect([...forksToStart(options, { names })]).toEqual([['arbitrum', { forkUrl, forkBlockNumber: 7 }]])
})

test.each<[object, string]>([
  [{ forkUrl: undefined }, 'forkUrl'],
  [{ forkUrl: '' }, 'forkUrl'],
  [{ forkUrl: ' ' }, 'forkUrl'],
  [{ forkUrl: 'wss://base.example' }, 'forkUrl'],
  [{ forkUrl: 5 }, 'forkUrl'],
  [{ forkUrl: null }, 'forkUrl'],
  [{ forkUrl: { base: undefined } }, 'forkUrl.base'],
  [{ forkUrl: { base: '' } }, 'forkUrl.base'],
  [{ forkUrl: { polygon: forkUrl } }, 'forkUrl.polygon'],
  [{ forkUrl, forkBlockNumber: -1 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: 1.5 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: Number.NaN }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: '7' }, 'forkBlockNumber'],
  [{ forkUrl: { base: forkUrl, arbitrum: forkUrl }, forkBlockNumber: 7 }, 'forkBlockNumber'],
  [{ forkBlockNumber: 7 }, 'forkBlockNumber'],
  [{ forkUrl, forkBlockNumber: { arbitrum: 7 } }, 'forkBlockNumber'],
])('rejects %j', (options, field) => {
  let rejected: unknown
  try {
    forksToStart(options, { names })
  } catch (error) {
    rejected = error
  }
  expect(rejected).toMatchObject({ name: 'InvalidSandboxOptionsError', field, fix: expect.any(String) })
})

describe('merchantsToStart', () => {
  const fresh = { ...newKeys(), ports: {} }
  const first = { merchantId: 'shop', creditSeed: 'shop', apiKey: undefined, jwtSecret: undefined }

  test('gives each merchant its own keys', () => {
    const further = [{ merchantId: 'cafe' }, { merchantId: 'bar', creditSeed: 'bar-2', apiKey: 'sk_bar' }]
    const { merchants } = merchantsToStart(first, { further, kept: fresh })
    expect(merchants).toMatchObject([
      { merchantId: 'shop', apiKey: fresh.apiKey, jwtSecret: fresh.jwtSecret },
      { merchantId: 'cafe', creditSeed: 'cafe' },
      { merchantId: 'bar', creditSeed: 'bar-2', apiKey: 'sk_bar' },
    ])
    expect(new Set(merchants.flatMap(({ apiKey, jwtSecret }) => [apiKey, jwtSecret])).size).toBe(6)
  })

  test('reuses stored keys, even for a merchant that an earlier start omitted', () => {
    const start = (ids: readonly string[], kept: typeof fresh) =>
      merchantsToStart(first, { further: ids.map((merchantId) => ({ merchantId })), kept })
    const one = start(['cafe', '__proto__'], fresh)
    const again = start(['cafe', '__proto__'], start([], one.kept).kept)
    expect(again.merchants).toEqual(one.merchants)
  })
})
