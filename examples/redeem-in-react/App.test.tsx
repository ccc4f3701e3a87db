// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { providersOf } from '../../src/redeemkit/react/react.fixture.tsx'
import { hash, world } from '../../src/redeemkit/wagmi/wagmi.fixture.ts'
import App, { OpenPurchases, PayButton } from './App.tsx'

afterEach(cleanup)

test('the button shows what it signs, pays, and shows the result', async () => {
  const at = world()
  await at.connect()
  render(<PayButton orderId="order 1" />, { wrapper: providersOf(at) })
  fireEvent.click(await screen.findByText('Pay $10.00'))
  await screen.findByRole('button', { name: 'Paid' })
  expect(at.redeemed.size).toBe(1)
  expect(screen.getByText('Receipt').getAttribute('href')).toBe(`https://sepolia.basescan.org/tx/${hash}`)
})

test('the button shows a rejected request, and pays at the next click', async () => {
  const at = world()
  await at.connect()
  at.wallet.state.answers.eth_signTypedData_v4 = () => {
    throw Object.assign(new Error('no'), { code: 4001 })
  }
  render(<PayButton orderId="order 1" />, { wrapper: providersOf(at) })
  fireEvent.click(await screen.findByText('Pay $10.00'))
  await screen.findByText('You rejected the request in your wallet. You have not been charged.')
  at.wallet.state.answers = {}
  fireEvent.click(await screen.findByText('Pay $10.00'))
  await screen.findByRole('button', { name: 'Paid' })
})

test('an open redeem is listed and resumes', async () => {
  let isDown = true
  const submit = () => (isDown ? Response.json({}, { status: 400 }) : Response.json({ hash }))
  const at = world({ submit, isTaken: () => !isDown })
  await at.connect()
  const { unmount } = render(<PayButton orderId="order 1" />, { wrapper: providersOf(at) })
  fireEvent.click(await screen.findByText('Pay $10.00'))
  await screen.findByText('Resume this payment')
  unmount()
  isDown = false
  render(<OpenPurchases />, { wrapper: providersOf(at) })
  fireEvent.click(await screen.findByText('Resume order 1'))
  await waitFor(() => expect(screen.queryByText('Resume order 1')).toBeNull())
  expect(at.redeemed.size).toBe(1)
})

test('after a reload, an order still has exactly one button', async () => {
  const submit = () => Response.json({}, { status: 400 })
  const at = world({ submit, isTaken: () => false })
  await at.connect()
  const wrapper = providersOf(at)
  const { unmount } = render(<PayButton orderId="order 1" />, { wrapper })
  fireEvent.click(await screen.findByText('Pay $10.00'))
  await screen.findByText('Resume this payment')
  unmount()
  const page = (
    <>
      <PayButton orderId="order 1" />
      <OpenPurchases except="order 1" />
    </>
  )
  render(<OpenPurchases />, { wrapper: providersOf(at) })
  await screen.findByText('Resume order 1')
  cleanup()
  render(page, { wrapper: providersOf(at) })
  await screen.findByText('Resume this payment')
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

test('the page starts without a wallet', () => {
  render(<App />)
  expect(screen.getByText('Connect a wallet to pay')).toBeDefined()
})
