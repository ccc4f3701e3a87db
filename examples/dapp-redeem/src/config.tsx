import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Environment, EvmBlockchain, RedeemPins } from 'redeemkit'
import { createRedeemkit, type Redeemkit, RedeemkitProvider } from 'redeemkit/react'
import { baseSepolia } from 'viem/chains'
import { createConfig, http, injected, WagmiProvider } from 'wagmi'
import { readSessionKey } from './shopServer.ts'

/**
 * What the shop's own server tells its page, as `/shop.json`.
 *
 * Addresses and pins are the shop's configuration, never the payments service's word: they are what the page trusts. A shop
 * in production has them in its build.
 */
export type ShopConfig = {
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  /** The payments service. */
  baseUrl: string
  /** A node of the chain. */
  rpcUrl: string
  pinned: RedeemPins
  /** The contract that sells the moths. */
  cabinet: `0x${string}`
  /** Who is paid what a bill says. */
  keeper: `0x${string}`
  /** Key of a wallet for visitors who have none: public, and worth nothing outside of this machine. */
  testWalletKey?: `0x${string}` | undefined
}

/** The shop's configuration as wagmi and redeemkit take it. */
export function connectShop(shop: ShopConfig) {
  const { baseUrl, merchantId, environment, chainId, pinned, rpcUrl } = shop
  if (chainId !== baseSepolia.id)
    throw new Error(`The shop is on chain ${chainId}, and this page is made for ${baseSepolia.id}.`)
  const chain = { ...baseSepolia, rpcUrls: { default: { http: [rpcUrl] } } } as const
  const service = { baseUrl, merchantId, environment, pins: [{ ...pinned, chainId }] }
  return {
    wagmi: createConfig({
      chains: [chain],
      connectors: [injected()],
      transports: { [baseSepolia.id]: http(rpcUrl, { batch: true }) },
      pollingInterval: 500,
    }),
    kit: createRedeemkit(service),
    // For what the service asks a session key for, which the shop's server has for members alone.
    memberKit: createRedeemkit({ ...service, sessionKey: readSessionKey }),
  }
}

export type Shop = ShopConfig & {
  /** For what members alone may ask. */
  memberKit: Redeemkit
}

export const ShopContext = createContext<Shop | undefined>(undefined)

/** What the shop's server says (addresses, pins, the payments service), and what members ask with. */
export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (shop === undefined) throw new Error('There is no ShopContext above this component.')
  return shop
}

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
