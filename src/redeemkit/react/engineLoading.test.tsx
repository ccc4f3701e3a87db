// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { getConnection } from '@wagmi/core'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { purchase, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'
import { useRedeem } from './useRedeem.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('../wagmi/engine/loadEngine.ts', async (original) => {
  const module = await original<typeof import('../wagmi/engine/loadEngine.ts')>()
  const loadEngine: typeof module.loadEngine = () => {
    loads.count++
    return module.loadEngine()
  }
  return { ...module, loadEngine }
})

afterEach(cleanup)

test('a page without an account loads no engine, even while wagmi reconnects', async () => {
  const at = world()
  at.wallet.state.answers.eth_accounts = () => []
  const statuses = new Set<string>()
  at.config.subscribe(
    ({ status }) => status,
    (status) => statuses.add(status),
  )
  const client = new QueryClient()
  renderHook(() => useRedeem({ ...purchase, purchaseId: 'order 1' }), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <WagmiProvider config={at.config}>
        <QueryClientProvider client={client}>
          <RedeemkitProvider kit={at.kit}>{children}</RedeemkitProvider>
        </QueryClientProvider>
      </WagmiProvider>
    ),
  })
  await waitFor(() => expect([...statuses]).toEqual(['connecting', 'disconnected']))
  expect(getConnection(at.config).address).toBeUndefined()
  expect(loads.count).toBe(0)
  delete at.wallet.state.answers.eth_accounts
  await act(() => at.connect())
  await waitFor(() => expect(loads.count).toBeGreaterThan(0))
})
