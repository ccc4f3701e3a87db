import { expect, test } from 'vitest'
import { hrefOf, parseRoute, type Route } from './routes.ts'

test.each<Route>([
  { page: 'moths' },
  { page: 'moth', slug: 'moon-ferry', orderId: undefined },
  { page: 'moth', slug: 'moon-ferry', orderId: '0a1b2c3d4e5f' },
  { page: 'cabinet' },
  { page: 'bills' },
  { page: 'bill', number: '2041' },
  { page: 'credits' },
  { page: 'society' },
])('the address of $page leads back to it', (route) => {
  expect(parseRoute(hrefOf(route))).toEqual(route)
})

test.each(['#/nothing', '#/bill', '#/%', '#/moth'])('%s leads nowhere', (hash) => {
  expect(parseRoute(hash)).toEqual({ page: 'unknown' })
})
