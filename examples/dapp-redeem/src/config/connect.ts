import { createRedeemkit } from 'redeemkit/react'
import type { Chain } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig, http, injected } from 'wagmi'
import { readSessionKey } from '../card/readSessionKey.ts'
import type { ShopConfig } from './shopConfig.ts'

/** The shop's configuration as wagmi and redeemkit take it. */
export function connectShop(shop: ShopConfig) {
  const { baseUrl, merchantId, environment, chainId, pinned, rpcUrl } = shop
  if (chainId !== baseSepolia.id)
    throw new Error(`The shop is on chain ${chainId}, and this page is made for ${baseSepolia.id}.`)
  const chain: Chain & { id: typeof baseSepolia.id } = {
    ...baseSepolia,
    rpcUrls: { default: { http: [rpcUrl] } },
  }
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
