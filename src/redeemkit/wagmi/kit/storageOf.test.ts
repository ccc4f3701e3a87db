// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createRedeemkit } from './createRedeemkit.ts'
import { storageOf } from './storageOf.ts'

const pins = [
  { chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
] as const
const storage = () =>
  storageOf(createRedeemkit({ baseUrl: 'https://service.example', merchantId: 'shop', pins }))

test('a page keeps purchases in its localStorage, and tells their names', async () => {
  globalThis.localStorage.clear()
  storage()?.setItem('one', 'kept')
  expect(globalThis.localStorage.getItem('one')).toBe('kept')
  expect([...((await storage()?.keys?.()) ?? [])]).toEqual(['one'])
  storage()?.removeItem('one')
  expect(storage()?.getItem('one')).toBeNull()
})
