import { type Config, createConfig, http, injected } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'
import { walletConnect } from 'wagmi/connectors'

/** Wallets of this browser, and wallets on a phone over WalletConnect. */
export function createShopConfig(options: { projectId: string; rpcUrl: string }): Config {
  return createConfig({
    chains: [baseSepolia],
    connectors: [
      injected(), // an extension, or the browser inside a wallet app
      walletConnect({ projectId: options.projectId }), // A separate app: a link on a phone, a QR code on a desktop.
    ],
    transports: { [baseSepolia.id]: http(options.rpcUrl) },
  })
}
