import { expect, test } from 'vitest'
import { newKeys } from './keptSettings.ts'
import { merchantsToStart } from './merchantsToStart.ts'

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

test('reuses kept keys, even of a merchant that one start omitted', () => {
  const start = (ids: readonly string[], kept: typeof fresh) =>
    merchantsToStart(first, { further: ids.map((merchantId) => ({ merchantId })), kept })
  const one = start(['cafe', '__proto__'], fresh)
  const again = start(['cafe', '__proto__'], start([], one.kept).kept)
  expect(again.merchants).toEqual(one.merchants)
})
