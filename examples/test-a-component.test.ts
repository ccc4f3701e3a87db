// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { createMockService, createMockWallet, mockPurchase, redeemStates } from 'redeemkit/mock'
import { createRedeemkit, RedeemkitProvider, useRedeem } from 'redeemkit/react'
import { custom } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import { createConfig, injected, WagmiProvider } from 'wagmi'
import { connect } from 'wagmi/actions'

afterEach(cleanup)

/** Returns the providers of your app, with a service, a chain and a wallet in memory. */
async function openShop(mocks: { service?: createMockService.Options; wallet?: createMockWallet.Options }) {
  const mock = createMockService(mocks.service)
  const wallet = createMockWallet({ ...mocks.wallet, chain: mock.chain })
  const connector = injected({ target: () => ({ id: 'mock', name: 'Mock', provider: wallet.provider }) })
  const config = createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: custom(mock.chain) },
    connectors: [connector],
    storage: null,
  })
  await connect(config, { connector })
  const kit = createRedeemkit({ ...mock.clientOptions, pins: [mock.pinned], storage: null })
  const queries = new QueryClient()
  const providers = ({ children }: { children: ReactNode }) =>
    createElement(
      WagmiProvider,
      { config },
      createElement(
        QueryClientProvider,
        { client: queries },
        createElement(RedeemkitProvider, { kit }, children),
      ),
    )
  return { mock, providers }
}

test('shows that nothing was paid when the second prompt is rejected', async () => {
  const { mock, providers } = await openShop({ wallet: { prompts: ['approve', 'reject'] } })
  const { result: button } = renderHook(() => useRedeem(mockPurchase), { wrapper: providers })
  await waitFor(() => expect(button.current.step).toBe('ready'))
  await act(async () => button.current.onClick())
  await waitFor(() => expect(button.current.userMessage).toMatch(/You have not been charged/))
  expect(mock.asked.map(({ call }) => call)).not.toContain('sendGaslessTx')
})

test("pays once if the service's response is lost", async () => {
  const { mock, providers } = await openShop({ service: { faults: { sendGaslessTx: ['lost'] } } })
  const { result: button } = renderHook(() => useRedeem(mockPurchase), { wrapper: providers })
  await waitFor(() => expect(button.current.step).toBe('ready'))
  await act(async () => button.current.onClick())
  await waitFor(() => expect(button.current.step).toBe('done'), { timeout: 5_000 })
  expect(mock.asked.filter(({ call }) => call === 'creditsAuthMsg')).toHaveLength(1)
})

test('has a story for every state', () => {
  // For a component that takes the result of useRedeem as props: a story or a screenshot for each state.
  const stories = redeemStates.map(({ name, shown }) => [name, shown.userMessage ?? shown.step])
  expect(stories).toContainEqual(['failed: too few credits', expect.stringMatching(/^You have \$1.00/)])
})
