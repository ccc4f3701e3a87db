import { expect, test } from 'vitest'
import { bills } from '../catalogue/bills.ts'
import { billPurchaseId, hrefOfPurchase, mothPurchaseId } from './purchaseId.ts'

test('the id of a bill has its month, and leads back to its page', () => {
  expect(bills.map(billPurchaseId)).toEqual(['bill 2026-11 2041', 'bill 2026-11 2042', 'bill 2026-11 2047'])
  expect(bills.map((bill) => hrefOfPurchase(billPurchaseId(bill)))).toEqual(
    bills.map(({ number }) => `#/bill/${number}`),
  )
})

test('each moth that is bought has an id of its own, which leads back to its page', () => {
  const purchaseId = mothPurchaseId({ slug: 'moon-ferry', orderId: '0a1b2c3d4e5f' })
  expect(hrefOfPurchase(purchaseId)).toBe('#/moth/moon-ferry/0a1b2c3d4e5f')
})

test.each([undefined, '', 'text', 'bill 2025-11 2041', 'bill 2041', 'bill/2041', 'moth moon-ferry'])(
  'no page is that of %s',
  (purchaseId) => {
    expect(hrefOfPurchase(purchaseId)).toBeUndefined()
  },
)
