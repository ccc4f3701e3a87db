// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { mockShop, renderInMock } from './react.fixture.tsx'
import { usePlans } from './usePlans.ts'
import { useSubscribe } from './useSubscribe.ts'

afterEach(cleanup)

const monthly = { planCode: 'monthly', token: 'mock-card-1' }

test('lists the plans that a wallet is offered', async () => {
  const { result } = await renderInMock(() => usePlans())
  await waitFor(() => expect(result.current.data?.map(({ code }) => code)).toEqual(['monthly', 'yearly']))
})

test('asks for no plans without a wallet', async () => {
  const { mock, wrapper, connect } = mockShop()
  const { result } = renderHook(() => usePlans(), { wrapper })
  expect(result.current.fetchStatus).toBe('idle')
  expect(mock.asked).toEqual([])
  await act(connect)
  await waitFor(() => expect(result.current.data).toHaveLength(2))
})

test('buys a plan', async () => {
  const { result } = await renderInMock(() => useSubscribe())
  act(() => result.current.subscribe(monthly))
  await waitFor(() => expect(result.current.data).toMatchObject({ paymentId: 'mock-payment-1' }))
})

test('two simultaneous clicks are one payment', async () => {
  const { result, mock } = await renderInMock(() => useSubscribe(), { service: { delayMs: 20 } })
  act(() => {
    result.current.subscribe(monthly)
    result.current.subscribe(monthly)
  })
  await waitFor(() => expect(result.current.data).toBeDefined())
  expect(mock.asked.filter(({ call }) => call === 'purchaseSubscription')).toHaveLength(1)
})

test('shows a bank challenge, and continues with its id', async () => {
  const { result, mock } = await renderInMock(() => useSubscribe(), {
    service: { faults: { purchaseSubscription: ['CHALLENGE_REQUIRED'] } },
  })
  act(() => result.current.subscribe(monthly))
  await waitFor(() =>
    expect(result.current.challenge?.url).toBe('https://bank.mock.redeemkit.test/challenge'),
  )
  act(() => result.current.completeChallenge())
  await waitFor(() => expect(result.current.data).toBeDefined())
  expect(mock.asked.at(-1)?.body).toEqual({
    ...monthly,
    authentication3DS: { transactionId: 'mock-challenge-1' },
  })
})

test('an answer that was lost is not a reason to pay again', async () => {
  const { result, mock } = await renderInMock(() => useSubscribe(), {
    service: { faults: { purchaseSubscription: 'lost' } },
  })
  act(() => result.current.subscribe(monthly))
  await waitFor(() => expect(result.current.error).toMatchObject({ name: 'PaymentOutcomeUnknownError' }))
  expect(result.current.userMessage).toMatch(/don't pay again/)
  expect(mock.asked.filter(({ call }) => call === 'purchaseSubscription')).toHaveLength(1)
})
