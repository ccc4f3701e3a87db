// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ptBr } from '../languages/ptBr.ts'
import { hash, purchase, type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemButton } from './RedeemButton.tsx'
import { providersOf } from './react.fixture.tsx'

afterEach(cleanup)

const order = { ...purchase, purchaseId: 'order 1' }
const main = () => screen.getAllByRole('button')[0] as HTMLElement

/** Renders a button. By default, a wallet is connected. */
async function show(props: Partial<RedeemButton.Props> = {}, { isConnected = true, ...change }: Change = {}) {
  const at = world(change)
  if (isConnected) await at.connect()
  render(<RedeemButton {...order} {...props} />, { wrapper: providersOf(at) })
  return at
}
type Change = NonNullable<Parameters<typeof world>[0]> & { isConnected?: boolean }

const hang = (at: World) => {
  at.wallet.state.answers.eth_signTypedData_v4 = () => new Promise(() => {})
}

describe('a redeem button', () => {
  test('shows the signing text, pays, and links to the transaction', async () => {
    const at = await show()
    await screen.findByText('Pay $10.00')
    expect(screen.getByText(/^You send \$10\.00 to /)).toBeDefined()
    fireEvent.click(main())
    await screen.findByRole('button', { name: 'Paid' })
    expect(at.redeemed.size).toBe(1)
    expect(screen.getByRole('link', { name: 'Receipt' }).getAttribute('href')).toContain(hash)
    expect(screen.queryByText(/^You send/)).toBeNull()
  })

  test('keeps the focus and announces each step while the wallet is open', async () => {
    hang(await show())
    await screen.findByText('Pay $10.00')
    expect(screen.getByRole('status').textContent).toBe('')
    main().focus()
    fireEvent.click(main())
    await screen.findByRole('button', { name: 'Confirm in your wallet' })
    expect(main().getAttribute('aria-busy')).toBe('true')
    expect(main().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('status').textContent).toBe('Confirm in your wallet')
    expect(document.activeElement).toBe(main())
  })

  test('cancels, and returns the focus', async () => {
    hang(await show())
    await screen.findByText('Pay $10.00')
    fireEvent.click(main())
    const cancel = await screen.findByRole('button', { name: 'Cancel' })
    cancel.focus()
    fireEvent.click(cancel)
    await screen.findByText('Pay $10.00')
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    expect(document.activeElement).toBe(main())
  })

  test('announces an error, and pays on the next click', async () => {
    const at = await show()
    at.wallet.state.answers.eth_signTypedData_v4 = () => {
      throw { code: 4001, message: 'User rejected the request.' }
    }
    await screen.findByText('Pay $10.00')
    fireEvent.click(main())
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('You have not been charged.'))
    at.wallet.state.answers = {}
    fireEvent.click(await screen.findByText('Pay $10.00'))
    await screen.findByText('Paid', { selector: 'button' })
    expect(screen.getByRole('alert').textContent?.trim()).toBe('')
  })

  test('links to the verification that the service requires', async () => {
    const verificationLink = 'https://verify.example/start'
    await show({}, { kit: { fetch: async () => Response.json({ verificationLink }, { status: 451 }) } })
    const link = await screen.findByRole('link', { name: 'verify.example' })
    expect(link.getAttribute('href')).toBe(verificationLink)
  })

  test('connects a wallet if `onConnect` is set, and is disabled otherwise', async () => {
    const onConnect = vi.fn()
    await show({ onConnect }, { isConnected: false })
    fireEvent.click(screen.getByRole('button', { name: 'Connect a wallet to pay' }))
    expect(onConnect).toHaveBeenCalledOnce()
    cleanup()
    await show({}, { isConnected: false })
    expect(main().getAttribute('aria-disabled')).toBe('true')
    expect(main().getAttribute('aria-busy')).toBe('false')
  })

  test('uses the language of the kit', async () => {
    hang(await show({}, { kit: { messages: ptBr } }))
    fireEvent.click(await screen.findByText(/^Pagar/))
    await screen.findByRole('button', { name: 'Confirme na sua carteira' })
    expect(screen.getByRole('button', { name: 'Cancelar' })).toBeDefined()
  })

  test('is styled only by CSS variables', async () => {
    await show()
    const style = main().getAttribute('style') ?? ''
    const values = style.split(';').flatMap((one) => one.split(':')[1]?.trim() || [])
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(value).toMatch(/^var\(--redeem-[a-z]+, revert-layer\)$/)
  })

  test('renders the page’s own markup if `children` is a function', async () => {
    const at = await show({
      children: ({ label, onClick }) => (
        <button type="button" onClick={onClick}>
          {label}!
        </button>
      ),
    })
    fireEvent.click(await screen.findByText('Pay $10.00!'))
    await screen.findByText('Paid!')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(at.redeemed.size).toBe(1)
  })
})
