// #region config
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
// #endregion

// #region links
/** Links that open a page in the browser inside a wallet app, where the wallet is `injected`. */
export function walletLinks(page: URL): { name: string; href: string }[] {
  const { host, pathname, search } = page
  return [{ name: 'MetaMask', href: `https://link.metamask.io/dapp/${host}${pathname}${search}` }]
}
// #endregion
