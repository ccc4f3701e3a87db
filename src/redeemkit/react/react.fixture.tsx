import './waitLonger.fixture.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { WagmiProvider } from 'wagmi'
import { type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'

/** Providers as an app has them, around a world of tests. */
export function providersOf({ config, kit }: Pick<World, 'config' | 'kit'>, client = new QueryClient()) {
  return ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={client}>
        <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

/** A hook in a world whose wallet is connected. */
export async function renderIn<result>(use: () => result, change: Parameters<typeof world>[0] = {}) {
  const at = world(change)
  await at.connect()
  const queries = new QueryClient()
  const view = renderHook(use, { wrapper: providersOf(at, queries) })
  return { at: { ...at, queries }, ...view, press: (pressed: () => void) => act(async () => pressed()) }
}
