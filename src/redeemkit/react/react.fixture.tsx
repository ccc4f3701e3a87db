import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, configure, renderHook } from '@testing-library/react'
import { connect } from '@wagmi/core'
import type { ReactNode } from 'react'
import { custom } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, injected, WagmiProvider } from 'wagmi'
import { createMockService } from '../mock/createMockService.ts'
import { createMockWallet } from '../mock/createMockWallet.ts'
import { createRedeemkit } from '../wagmi/createRedeemkit.ts'
import { type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'

// What is loaded on demand takes longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

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
  return { at: { ...at, queries }, ...view, click: (clicked: () => void) => act(async () => clicked()) }
}

/** A mock of service, chain and wallet, a wagmi config and a kit on them, and providers as an app has them. */
export function mockShop(
  options: { service?: createMockService.Options; wallet?: createMockWallet.Options } = {},
) {
  const mock = createMockService(options.service)
  const wallet = createMockWallet({ chain: mock.chain, ...options.wallet })
  const config = createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: custom(mock.chain, { retryCount: 0 }) },
    connectors: [injected({ target: () => ({ id: 'mock', name: 'Mock', provider: wallet.provider }) })],
    multiInjectedProviderDiscovery: false,
    storage: null,
  })
  const kit = createRedeemkit({ ...mock.clientOptions, pins: [mock.pinned], storage: null })
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={client}>
        <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
  return {
    mock,
    wallet,
    config,
    kit,
    wrapper,
    connect: async () => {
      const [connector] = config.connectors
      if (connector !== undefined) await connect(config, { connector })
    },
  }
}

/** A hook in a mock whose wallet is connected, unless it is told otherwise. */
export async function renderInMock<result>(
  use: () => result,
  { isConnected = true, ...options }: Parameters<typeof mockShop>[0] & { isConnected?: boolean } = {},
) {
  const shop = mockShop(options)
  if (isConnected) await shop.connect()
  return { ...shop, ...renderHook(use, { wrapper: shop.wrapper }) }
}
