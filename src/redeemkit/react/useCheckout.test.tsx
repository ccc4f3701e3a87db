// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { mockShop, renderInMock } from './react.fixture.tsx'
import { useCheckout } from './useCheckout.ts'

afterEach(cleanup)

const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const

test('returns the totals of an order for each way to pay, also without a wallet', async () => {
  const { wrapper } = mockShop()
  const { result } = renderHook(() => useCheckout(order), { wrapper })
  await waitFor(() => expect(result.current.totals.data).toBeDefined())
  const { card, wire, pix, mobileapp } = result.current.totals.data ?? {}
  expect([card, wire, pix, mobileapp].map((rail) => rail?.total.cents)).toEqual([1029, 1000, 1010, 1029])
})

test('orders', async () => {
  const { result, mock } = await renderInMock(() => useCheckout(order))
  act(() => result.current.checkout({ by: 'pix', email: 'ana@shop.example' }))
  await waitFor(() => expect(result.current.data).toMatchObject({ by: 'pix', paymentId: 'mock-payment-1' }))
  expect(mock.asked.at(-1)?.body).toMatchObject(order)
})

test('returns a user message for a failure, and forgets it', async () => {
  const { result } = await renderInMock(() => useCheckout(order), {
    service: { faults: { pixCheckout: 'CUSTOMER_BLOCKED' } },
  })
  act(() => result.current.checkout({ by: 'pix', email: 'ana@shop.example' }))
  await waitFor(() => expect(result.current.error).toMatchObject({ code: 'CUSTOMER_BLOCKED' }))
  expect(result.current.userMessage).toBe("You can't pay here right now. Contact the shop for help.")
  act(() => result.current.reset())
  await waitFor(() => expect(result.current.userMessage).toBeUndefined())
})
