import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, configure, renderHook } from '@testing-library/react'
import { connect } from '@wagmi/core'
import type { ReactNode } from 'react'
import { type Chain, custom } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, injected, WagmiProvider } from 'wagmi'
import { createMockService } from '../mock/createMockService.ts'
import { createMockWallet } from '../mock/createMockWallet.ts'
import { createRedeemkit } from '../wagmi/createRedeemkit.ts'
import { type World, world } from '../wagmi/wagmi.fixture.ts'
import { RedeemkitProvider } from './RedeemkitProvider.tsx'

// Modules loaded on demand take longer than a second on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

/** Providers of an app, around a test world. */
export function providersOf({ config, kit }: Pick<World, 'config' | 'kit'>, client = new QueryClient()) {
  return ({ children }: { children: ReactNode }) => (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={client}>
        <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

/** Renders a hook in a world with a connected wallet. */
export async function renderIn<result>(use: () => result, change: Parameters<typeof world>[0] = {}) {
  const at = world(change)
  await at.connect()
  const queries = new QueryClient()
  const view = renderHook(use, { wrapper: providersOf(at, queries) })
  return { at: { ...at, queries }, ...view, click: (clicked: () => void) => act(async () => clicked()) }
}

/** A mocked service, chain and wallet, with a wagmi config, a kit and the providers of an app. */
export function mockShop(
  options: { service?: createMockService.Options; wallet?: createMockWallet.Options } = {},
) {
  const mock = createMockService(options.service)
  const wallet = createMockWallet({ chain: mock.chain, ...options.wallet })
  const chain: Chain & { id: typeof baseSepolia.id } = baseSepolia
  const config = createConfig({
    chains: [chain],
    transports: { [baseSepolia.id]: custom(mock.chain, { retryCount: 0 }) },
    connectors: [injected({ target: () => ({ id: 'mock', name: 'Mock', provider: wallet.provider }) })],
    multiInjectedProviderDiscovery: false,
    storage: null,
  })
  const kit = createRedeemkit({ ...mock.clientOptions, pins: [mock.pinned], storage: null })
  const wrapper = providersOf({ config, kit })
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

/** Renders a hook in a mock. The wallet is connected by default. */
export async function renderInMock<result>(
  use: () => result,
  { isConnected = true, ...options }: Parameters<typeof mockShop>[0] & { isConnected?: boolean } = {},
) {
  const shop = mockShop(options)
  if (isConnected) await shop.connect()
  return { ...shop, ...renderHook(use, { wrapper: shop.wrapper }) }
}
