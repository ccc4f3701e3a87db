import { type Config, createConfig, http, injected } from '@wagmi/core'
import { baseSepolia } from '@wagmi/core/chains'
import { createRedeemkit } from 'redeemkit/wagmi'

/** wagmi remembers the connected wallet in `localStorage`. */
export const config: Config = createConfig({
  chains: [baseSepolia],
  connectors: [injected()], // announced wallets (EIP-6963) are added to these
  transports: { [baseSepolia.id]: http('http://127.0.0.1:4242/rpc/base') },
})

export const kit = createRedeemkit({
  baseUrl: 'http://127.0.0.1:4242',
  merchantId: 'sandbox-shop',
  pins: [
    {
      chainId: baseSepolia.id,
      creditsContract: '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9', // from your own configuration
      creditSeed: 'sandbox-shop',
    },
  ],
})
