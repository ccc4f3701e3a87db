// @vitest-environment happy-dom
import { dehydrate, onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { custom, encodeFunctionResult, parseAbi } from 'viem'
import { mainnet } from 'viem/chains'
import { afterEach, describe, expect, test } from 'vitest'
import { createConfig, WagmiProvider } from 'wagmi'
import { english } from '../core/userMessage/userMessages.ts'
import { account } from '../redeem/redeem.fixture.ts'
import { hash, purchase, signInRoutes, stranger, wallet, world } from '../wagmi/wagmi.fixture.ts'
import { useAccountName, useBalances } from './account.ts'
import { useCheckout } from './checkout.ts'
import { mockShop, providersOf, renderIn, renderInMock } from './react.fixture.tsx'
import { useLogin } from './useLogin.ts'
import { useOpenRedeems } from './useOpenRedeems.ts'
import { usePlans } from './usePlans.ts'
import { usePrepareRedeem } from './usePrepareRedeem.ts'
import { useRedeem } from './useRedeem.ts'
import { useSubscribe } from './useSubscribe.ts'

afterEach(cleanup)

function Button() {
  return useRedeem(purchase).step
}

const balancesAsked = (asked: string[]) => asked.filter((call) => call.startsWith('customer/balances')).length

describe('balances', () => {
  test('count the pinned credits', async () => {
    const { result, at } = await renderIn(() => useBalances())
    await waitFor(() =>
      expect(result.current.data).toEqual({ credits: { cents: 100_000 }, usdc: { cents: 100_000 } }),
    )
    expect(at.asked).toEqual(['customer/balances/my-shop'])
  })

  test('are not requested without a wallet', async () => {
    const at = world()
    const { result } = renderHook(() => useBalances(), { wrapper: providersOf(at) })
    expect(result.current.fetchStatus).toBe('idle')
    expect(at.asked).toEqual([])
  })

  test('are read again after a redeem', async () => {
    const { result, at, click } = await renderIn(() => ({
      balances: useBalances(),
      redeem: useRedeem(purchase),
    }))
    await waitFor(() => expect(result.current.redeem.step).toBe('ready'))
    expect(balancesAsked(at.asked)).toBe(1)
    await click(result.current.redeem.onClick)
    await waitFor(() => expect(balancesAsked(at.asked)).toBe(2))
  })
})

describe('a hook', () => {
  test('explains the fix if there is no provider', () => {
    const { config } = world()
    expect(() => renderHook(() => useBalances({ config }))).toThrow('RedeemkitProvider')
  })

  test('uses the given kit', async () => {
    const at = world()
    await at.connect()
    const other = world()
    const { result } = renderHook(() => useBalances({ kit: other.kit }), { wrapper: providersOf(at) })
    await waitFor(() => expect(result.current.isSuccess).toBe(true))
    expect([balancesAsked(at.asked), balancesAsked(other.asked)]).toEqual([0, 1])
  })
})

describe('open redeems', () => {
  /** Submits a purchase whose response is lost. */
  async function leftOpen() {
    let isDown = true
    const submit = () => (isDown ? Response.json({}, { status: 400 }) : Response.json({ hash }))
    const before = await renderIn(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
      submit,
      isTaken: () => !isDown,
    })
    await waitFor(() => expect(before.result.current.step).toBe('ready'))
    await before.click(before.result.current.onClick)
    await waitFor(() => expect(before.result.current.step).toBe('open'))
    before.unmount()
    isDown = false
    before.at.asked.length = 0
    return before.at
  }

  test('are listed after a reload, and resume without a prompt', async () => {
    const at = await leftOpen()
    const { result } = renderHook(() => useOpenRedeems(), { wrapper: providersOf(at) })
    await waitFor(() => expect(result.current.data?.open).toHaveLength(1))
    const [open] = result.current.data?.open ?? []
    act(() => open && result.current.resume.mutate(open.options))
    await waitFor(() => expect(result.current.resume.data?.hash).toBe(hash))
    await waitFor(() => expect(result.current.data?.open).toEqual([]))
    expect(at.asked).not.toContain('wallet eth_signTypedData_v4')
  })

  test('report storage that cannot be read', async () => {
    const at = await leftOpen()
    at.items.keys = () => {
      throw new Error('The storage is blocked.')
    }
    const { result } = renderHook(() => useOpenRedeems(), { wrapper: providersOf(at) })
    await waitFor(() => expect(result.current.error).toMatchObject({ name: 'PurchaseStorageError' }))
    expect(result.current.userMessage).toBe(english.PurchaseStorageError)
  })

  test('show as paid on their button after a reload', async () => {
    const at = await leftOpen()
    const { result } = renderHook(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
      wrapper: providersOf(at),
    })
    await waitFor(() => expect(result.current.step).toBe('open'))
    await act(async () => result.current.onClick())
    await waitFor(() => expect(result.current.step).toBe('done'))
    expect(at.redeemed.size).toBe(1)
  })
})

describe('a redeem that was paid before a reload', () => {
  async function paidBefore() {
    const before = await renderIn(() => useRedeem({ ...purchase, purchaseId: 'order 1' }))
    await waitFor(() => expect(before.result.current.step).toBe('ready'))
    await before.click(before.result.current.onClick)
    await waitFor(() => expect(before.result.current.step).toBe('done'))
    before.unmount()
    before.at.asked.length = 0
    return { at: before.at, data: before.result.current.data }
  }

  test('shows the moved amounts, without a prompt', async () => {
    const { at, data } = await paidBefore()
    const { result } = renderHook(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
      wrapper: providersOf(at),
    })
    await waitFor(() => expect(result.current.data).toEqual(data))
    expect(result.current).toMatchObject({ step: 'done', canClick: false })
    expect(at.asked.filter((call) => call.startsWith('wallet'))).toEqual([])
  })

  test('cannot be paid by a second account, which sees the payer', async () => {
    const { at } = await paidBefore()
    at.wallet.state.accounts = [stranger]
    at.wallet.emit('accountsChanged', [stranger])
    const { result } = renderHook(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
      wrapper: providersOf(at),
    })
    await waitFor(() => expect(result.current.paidBy).toBe(wallet))
    expect(result.current).toMatchObject({
      step: 'done',
      canClick: false,
      data: undefined,
      error: { name: 'AlreadyRedeemedError' },
      userMessage: "Another account, 0xf39F…2266, has paid for this. Please don't pay again.",
    })
    await act(async () => result.current.onClick())
    expect(at.asked.filter((call) => call.startsWith('wallet eth_sign'))).toEqual([])
  })

  test('is done immediately, and shows the amounts once the chain can be read', async () => {
    const { at, data } = await paidBefore()
    at.gone.chain = true
    const { result } = renderHook(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
      wrapper: providersOf(at),
    })
    await waitFor(() => expect(result.current.step).toBe('done'))
    expect(result.current.data).toBeUndefined()
    at.gone.chain = false
    await waitFor(() => expect(result.current.data).toEqual(data))
  })
})

describe('a check before the click', () => {
  test('is repeated before it expires, without a new request to the service', async () => {
    const at = world()
    await at.connect()
    const client = new QueryClient()
    const { result } = renderHook(() => usePrepareRedeem(purchase), { wrapper: providersOf(at, client) })
    await waitFor(() => expect(result.current.data?.state).toBe('ready'))
    const [first] = client.getQueryCache().getAll()
    const interval = first?.observers[0]?.options.refetchInterval
    // 60 s, minus 15 s for a slow network.
    expect(typeof interval === 'function' && first && interval(first)).toBe(45_000)
    at.asked.length = 0
    await act(() => result.current.refetch())
    expect(at.asked).not.toContain('redeem/evm/creditsAuthMsg')
    expect(at.asked).toContain('eth_call')
  })

  test('is not made with random nonces, because a click makes the requests', async () => {
    const at = world({ kit: { pins: [{ ...world().kit.pins[0], intentBound: false } as never] } })
    await at.connect()
    const { result } = renderHook(() => useRedeem(purchase), { wrapper: providersOf(at) })
    expect(result.current.step).toBe('ready')
    expect(at.asked).toEqual([])
  })

  test('survives StrictMode, in which effects run twice', async () => {
    const at = world()
    await at.connect()
    const Providers = providersOf(at)
    const { container } = render(
      <StrictMode>
        <Providers>
          <Button />
        </Providers>
      </StrictMode>,
    )
    await waitFor(() => expect(container.textContent).toBe('ready'))
  })
})

describe('a sign-in', () => {
  test('creates a session for the wallet', async () => {
    const { result, at } = await renderIn(() => useLogin(), signInRoutes)
    expect(result.current.session).toBeNull()
    at.wallet.state.onSign = (message) => account.signMessage({ message: { raw: message } })
    act(() => result.current.mutate({}))
    await waitFor(() => expect(result.current.session).toMatchObject({ wallet }))
  })

  test('returns the values that the page’s server needs', async () => {
    const given: unknown[] = []
    const { result, at } = await renderIn(
      () =>
        useLogin({
          mutation: { onSuccess: ({ wallet, signedMessage }) => given.push(wallet, signedMessage) },
        }),
      signInRoutes,
    )
    at.wallet.state.onSign = (message) => account.signMessage({ message: { raw: message } })
    act(() => result.current.mutate({}))
    await waitFor(() => expect(given).toEqual([wallet, expect.stringMatching(/^0x[0-9a-f]{130}$/)]))
    const kept = JSON.stringify(dehydrate(at.queries, { shouldDehydrateMutation: () => true }))
    expect(kept).toContain('"login"')
    expect(kept).not.toContain(String(given[1]))
  })

  test('is sent immediately while offline, and not again when the network returns', async () => {
    const { result, at } = await renderIn(() => useLogin(), signInRoutes)
    at.gone.service = true
    onlineManager.setOnline(false)
    try {
      act(() => result.current.mutate({}))
      await waitFor(() => expect(result.current.userMessage).toBe(english.ServiceUnreachableError))
      at.gone.service = false
      at.asked.length = 0
    } finally {
      act(() => onlineManager.setOnline(true))
    }
    expect(at.asked).toEqual([])
  })

  test('creates no session if the user rejects it, and does not open the prompt again', async () => {
    const { result, at } = await renderIn(() => useLogin(), signInRoutes)
    at.wallet.state.answers.personal_sign = () => {
      throw Object.assign(new Error('no'), { code: 4001 })
    }
    act(() => result.current.mutate({}))
    await waitFor(() => expect(result.current.userMessage).toBe('You rejected the request in your wallet.'))
    expect(result.current.session).toBeNull()
    expect(at.asked.filter((call) => call === 'wallet personal_sign')).toHaveLength(1)
  })
})

describe('useCheckout', () => {
  const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const

  test('returns an order’s totals for each payment method, even without a wallet', async () => {
    const { wrapper } = mockShop()
    const { result } = renderHook(() => useCheckout(order), { wrapper })
    await waitFor(() => expect(result.current.totals.data).toBeDefined())
    const { card, wire, pix, mobileapp } = result.current.totals.data ?? {}
    expect([card, wire, pix, mobileapp].map((rail) => rail?.total.cents)).toEqual([1029, 1000, 1010, 1029])
  })

  test('creates an order', async () => {
    const { result, mock } = await renderInMock(() => useCheckout(order))
    act(() => result.current.checkout({ by: 'pix', email: 'ana@shop.example' }))
    await waitFor(() => expect(result.current.data).toMatchObject({ by: 'pix', paymentId: 'mock-payment-1' }))
    expect(mock.asked.at(-1)?.body).toMatchObject(order)
  })

  test('returns a message for a failure until it is reset', async () => {
    const { result } = await renderInMock(() => useCheckout(order), {
      service: { faults: { pixCheckout: 'CUSTOMER_BLOCKED' } },
    })
    act(() => result.current.checkout({ by: 'pix', email: 'ana@shop.example' }))
    await waitFor(() => expect(result.current.error).toMatchObject({ code: 'CUSTOMER_BLOCKED' }))
    expect(result.current.userMessage).toBe("You can't pay here right now. Contact the shop for help.")
    act(() => result.current.reset())
    await waitFor(() => expect(result.current.userMessage).toBeUndefined())
  })
})

describe('useSubscribe', () => {
  const monthly = { planCode: 'monthly', token: 'mock-card-1' }

  test('lists the plans that the service offers to a wallet', async () => {
    const { result } = await renderInMock(() => usePlans())
    await waitFor(() => expect(result.current.data?.map(({ code }) => code)).toEqual(['monthly', 'yearly']))
  })

  test('requests no plans without a wallet', async () => {
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

  test('pays once for two simultaneous clicks', async () => {
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

  test('does not pay again after a lost response', async () => {
    const { result, mock } = await renderInMock(() => useSubscribe(), {
      service: { faults: { purchaseSubscription: 'lost' } },
    })
    act(() => result.current.subscribe(monthly))
    await waitFor(() => expect(result.current.error).toMatchObject({ name: 'PaymentOutcomeUnknownError' }))
    expect(result.current.userMessage).toMatch(/don't pay again/)
    expect(mock.asked.filter(({ call }) => call === 'purchaseSubscription')).toHaveLength(1)
  })
})

describe('useAccountName', () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  const abi = parseAbi([
    'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string resolvedName, address resolver, address reverseResolver)',
  ])

  function renderName(answer: () => unknown, asked?: string) {
    const transport = custom({ request: async () => answer() }, { retryCount: 0 })
    const config = createConfig({
      batch: { multicall: false },
      chains: [mainnet],
      transports: { [mainnet.id]: transport },
    })
    const wrapper = ({ children }: { children: ReactNode }) => (
      <WagmiProvider config={config}>
        <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
      </WagmiProvider>
    )
    return renderHook(() => useAccountName({ address: asked }), { wrapper })
  }

  test('is the address until the name is read', async () => {
    const answer = encodeFunctionResult({ abi, result: ['vitalik.eth', address, address] })
    const { result } = renderName(() => answer, address)
    expect(result.current.text).toBe('0xd8dA…6045')
    await waitFor(() => expect(result.current.text).toBe('vitalik.eth'))
  })

  test('is the address if the name cannot be read', async () => {
    const { result } = renderName(() => {
      throw new Error('down')
    }, address)
    await waitFor(() => expect(result.current.isError).toBe(true))
    expect(result.current.text).toBe('0xd8dA…6045')
  })

  test('is empty without an account, and makes no request', () => {
    const { result } = renderName(() => expect.unreachable())
    expect(result.current).toMatchObject({ text: '', fetchStatus: 'idle' })
  })
})
