import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, configure, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { WagmiProvider } from 'wagmi'
import { mockShop as mockedShop, type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'

// Modules loaded on demand take longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

export function providersOf({ config, kit }: Pick<World, 'config' | 'kit'>, client = new QueryClient()) {
  return ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={client}>
        <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

export async function renderIn<result>(use: () => result, change: Parameters<typeof world>[0] = {}) {
  const at = world(change)
  await at.connect()
  const queries = new QueryClient()
  const view = renderHook(use, { wrapper: providersOf(at, queries) })
  return { at: { ...at, queries }, ...view, click: (clicked: () => void) => act(async () => clicked()) }
}

export function mockShop(options: Parameters<typeof mockedShop>[0] = {}) {
  const shop = mockedShop(options)
  return { ...shop, wrapper: providersOf(shop) }
}

/** The wallet is connected by default. */
export async function renderInMock<result>(
  use: () => result,
  { isConnected = true, ...options }: Parameters<typeof mockShop>[0] & { isConnected?: boolean } = {},
) {
  const shop = mockShop(options)
  if (isConnected) await shop.connect()
  return { ...shop, ...renderHook(use, { wrapper: shop.wrapper }) }
}
