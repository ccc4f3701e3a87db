// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { mockShop } from '../../src/redeemkit/react/react.fixture.tsx'
import { SignIn } from './SignIn.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test("signs in with the wallet, and sends the credential to the shop's own server", async () => {
  const ownServer = vi.fn(async (_path: string, _init: RequestInit) => new Response(null, { status: 204 }))
  vi.stubGlobal('fetch', ownServer)
  const shop = mockShop()
  await shop.connect()
  render(<SignIn />, { wrapper: shop.wrapper })
  fireEvent.click(screen.getByText('Sign in with your wallet'))
  await screen.findByText(`Signed in as ${shop.wallet.address}`)
  const [path, init] = ownServer.mock.calls[0] ?? []
  expect(path).toBe('/session')
  expect(JSON.parse(String(init?.body))).toEqual({
    wallet: shop.wallet.address,
    blockchain: 'base',
    signedMessage: expect.stringMatching(/^.{20}/),
  })
})

test('shows a rejection by the customer', async () => {
  const shop = mockShop({ wallet: { prompts: 'reject' } })
  await shop.connect()
  render(<SignIn />, { wrapper: shop.wrapper })
  fireEvent.click(screen.getByText('Sign in with your wallet'))
  await screen.findByText('You rejected the request in your wallet.')
})

test("is not signed in if the shop's own server refuses", async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 401 }))
  const shop = mockShop()
  await shop.connect()
  render(<SignIn />, { wrapper: shop.wrapper })
  fireEvent.click(screen.getByText('Sign in with your wallet'))
  await screen.findByText('Something went wrong. Please try again.')
  expect(screen.queryByText(/^Signed in/)).toBeNull()
})
