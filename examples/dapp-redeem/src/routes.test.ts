// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { hrefOfOrder, useSplit } from './orders.ts'
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
])('the URL of $page parses back to the page', (route) => {
  expect(parseRoute(hrefOf(route))).toEqual(route)
})

test.each(['#/nothing', '#/bill', '#/%', '#/moth'])('%s is not a page', (hash) => {
  expect(parseRoute(hash)).toEqual({ page: 'unknown' })
})

describe('orders', () => {
  test.each([
    ['bill 2047', '#/bill/2047'],
    ['moth moon-ferry', '#/moth/moon-ferry/0a1b'],
    ['credits dusk', undefined],
  ])('an order for %s has a page', (item, href) => {
    expect(hrefOfOrder({ id: '0a1b', item, state: 'open' })).toBe(href)
  })

  describe('the part of an order in USDC', () => {
    afterEach(() => {
      cleanup()
      localStorage.clear()
    })
    const render = (chosenBefore: number) =>
      renderHook((chosen) => useSplit('0a1b', 2450, chosen), { initialProps: chosenBefore })

    test('input typed while the order arrives is kept', () => {
      const { result, rerender } = render(0)
      rerender(1000)
      expect(result.current[0]).toBe(1000)
      expect(render(0).result.current[0]).toBe(1000)
    })

    test('a choice for the order replaces an earlier choice, even after a reload', () => {
      const { result, rerender } = render(1000)
      act(() => result.current[1](400))
      rerender(1000)
      expect(result.current[0]).toBe(400)
      expect(render(1000).result.current[0]).toBe(400)
    })

    test('a part that exceeds the price is ignored', () => {
      expect(render(2451).result.current[0]).toBe(0)
    })
  })
})
