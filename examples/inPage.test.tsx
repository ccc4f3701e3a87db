// @vitest-environment happy-dom
// @vitest-environment-options {"url":"http://localhost:4000"}
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMockService, createMockWallet } from 'redeemkit/mock'
import type { describeRedeemButton } from 'redeemkit/wagmi'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { mockShop, providersOf } from '../src/redeemkit/react/react.fixture.tsx'
import { hash, world } from '../src/redeemkit/wagmi/wagmi.fixture.ts'
import { CardForm } from './card-form-in-react.tsx'
import { showPayButton } from './check-before-click.ts'
import App, { OpenPurchases, PayButton } from './redeem-in-react.tsx'
import { payWith } from './redeem-with-wagmi.ts'
import { SignIn } from './sign-in-in-react.tsx'

describe('card-form-in-react', () => {
  afterEach(cleanup)

  test("shows the service's form for the order", () => {
    // Replaces the iframe with another element, because happy-dom would load the iframe.
    const create = document.createElement.bind(document)
    vi.spyOn(document, 'createElement').mockImplementation((name: string) =>
      create(name === 'iframe' ? 'x-frame' : name),
    )
    const order = { id: 'order 1', checkoutJwtToken: `a.${btoa('{"checkout":{"purchaseId":"order 1"}}')}.c` }
    render(<CardForm order={order} onPaid={() => {}} onUnclear={() => {}} />)
    const frame = document.querySelector('x-frame')
    expect(Object(frame).src ?? frame?.getAttribute('src')).toMatch(/^http:\/\/127\.0\.0\.1:4242\//)
  })
})

describe('check-before-click', () => {
  test('a click opens the wallet without a request to the service', async () => {
    const mock = createMockService()
    const wallet = createMockWallet({ chain: mock.chain, prompts: ['reject', 'approve'] })
    const button = document.createElement('button')
    const said: string[] = []
    const end = showPayButton(button, {
      client: mock.client,
      wallet: wallet.address,
      signer: wallet,
      publicClient: mock.chain,
      pinned: mock.pinned,
      shop: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      orderId: 'order 1',
      say: (text) => said.push(text),
    })
    await vi.waitFor(() => expect(said[0]).toMatch(/^You send \$10\.00/))
    const asked = mock.asked.length
    button.click()
    await vi.waitFor(() => expect(wallet.prompts).toHaveLength(1))
    expect(mock.asked).toHaveLength(asked)
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/You have not been charged/))

    button.click() // Without a check from the page, `redeem` runs its own.
    await vi.waitFor(() => expect(said.at(-1)).toBe('Paid.'))
    end()
  })
})

describe('redeem-in-react', () => {
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
})

describe('redeem-with-wagmi', () => {
  test('a button without a framework pays, and makes no network request before it opens the wallet', async () => {
    const { config, kit, asked, redeemed, connect } = world()
    const button = document.createElement('button')
    let shown: describeRedeemButton.ReturnType | undefined
    const end = payWith(button, {
      config,
      kit,
      orderId: 'order 1',
      show: (next) => {
        shown = next
      },
    })
    expect(shown?.step).toBe('notConnected')
    await connect()
    await vi.waitFor(() => expect(shown?.step).toBe('ready'))
    asked.length = 0
    button.click()
    await vi.waitFor(() => expect(shown?.step).toBe('done'))
    expect(asked.slice(0, 3)).toEqual([
      'wallet eth_accounts',
      'wallet eth_chainId',
      'wallet eth_signTypedData_v4',
    ])
    expect(redeemed.size).toBe(1)
    end()
  })
})

describe('sign-in-in-react', () => {
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
})
