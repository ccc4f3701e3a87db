import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RedeemkitProvider } from 'redeemkit/react'
import { WagmiProvider } from 'wagmi'
import type { connectShop } from './connect.ts'
import type { ShopConfig } from './shopConfig.ts'
import { ShopContext } from './useShop.ts'

const queries = new QueryClient()

/** What every component of the shop finds above it: its configuration, the wallet, and redeemkit. */
export function ShopProviders(props: {
  shop: ShopConfig
  connected: ReturnType<typeof connectShop>
  children: ReactNode
}) {
  const { shop, connected, children } = props
  const { wagmi, kit, memberKit } = connected
  return (
    <ShopContext value={{ ...shop, memberKit }}>
      <WagmiProvider config={wagmi}>
        <QueryClientProvider client={queries}>
          <RedeemkitProvider kit={kit}>{children}</RedeemkitProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </ShopContext>
  )
}
