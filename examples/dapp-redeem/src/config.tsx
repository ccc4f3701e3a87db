import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Environment, EvmBlockchain, RedeemPins } from 'redeemkit'
import { createRedeemkit, type Redeemkit, RedeemkitProvider } from 'redeemkit/react'
import type { Chain } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, http, injected, WagmiProvider } from 'wagmi'
import { readSessionKey } from './orders.ts'

/**
 * Configuration that the shop's server sends to its page, as `/shop.json`.
 *
 * Addresses and pins come from the shop's own configuration, never from the payments service. A production shop compiles them
 * into its build.
 */
export type ShopConfig = {
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  baseUrl: string
  rpcUrl: string
  pinned: RedeemPins
  cabinet: `0x${string}`
  /** Wallet that receives the payments for bills. */
  keeper: `0x${string}`
  /** Key of a demo wallet for visitors without a wallet. It is public and worth nothing outside this machine. */
  testWalletKey?: `0x${string}` | undefined
}

export function connectShop(shop: ShopConfig) {
  const { baseUrl, merchantId, environment, chainId, pinned, rpcUrl } = shop
  if (chainId !== baseSepolia.id)
    throw new Error(`The shop is on chain ${chainId}, but this page supports only ${baseSepolia.id}.`)
  const chain: Chain & { id: typeof baseSepolia.id } = {
    ...baseSepolia,
    rpcUrls: { default: { http: [rpcUrl] } },
  }
  const pins = [{ ...pinned, chainId }]
  const service = { baseUrl, merchantId, environment, pins, deviceId: deviceId() }
  return {
    wagmi: createConfig({
      chains: [chain],
      connectors: [injected()],
      transports: { [baseSepolia.id]: http(rpcUrl, { batch: true }) },
      pollingInterval: 500,
    }),
    kit: createRedeemkit(service),
    // A kit for calls that require a session key, which the shop's server returns only to members.
    memberKit: createRedeemkit({ ...service, sessionKey: readSessionKey }),
  }
}

/** Returns a random id that this browser keeps, for chargeback protection. */
function deviceId(): string {
  const key = 'lampfall-device'
  const kept = localStorage.getItem(key) ?? crypto.randomUUID()
  localStorage.setItem(key, kept)
  return kept
}

export type Shop = ShopConfig & {
  memberKit: Redeemkit
}

const ShopContext = createContext<Shop | undefined>(undefined)

export function useShop(): Shop {
  const shop = useContext(ShopContext)
  if (shop === undefined) throw new Error('Wrap this component in ShopProviders.')
  return shop
}

const queries = new QueryClient()

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
