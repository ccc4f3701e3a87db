import { expect, test } from 'vitest'
import { hrefOfOrder } from './orders.ts'

test.each([
  ['bill 2047', '#/bill/2047'],
  ['moth moon-ferry', '#/moth/moon-ferry/0a1b'],
  ['credits dusk', undefined],
])('the page of an order of %s', (item, href) => {
  expect(hrefOfOrder({ id: '0a1b', item, state: 'open' })).toBe(href)
})
