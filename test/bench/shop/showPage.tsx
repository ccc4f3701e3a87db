import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createConfig,
  http,
  injected,
  useConnect,
  useConnection,
  usePublicClient,
  WagmiProvider,
} from 'wagmi'
import { baseSepolia } from 'wagmi/chains'

const config = createConfig({
  chains: [baseSepolia],
  connectors: [injected()],
  transports: { [baseSepolia.id]: http(window.settings.rpcUrl) },
})

/** The part that all bench pages share: a button that connects a wallet, with `children` below it. */
export function showPage(children?: ReactNode): void {
  const root = document.body.appendChild(document.createElement('main'))
  createRoot(root).render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Connect />
        {children}
      </QueryClientProvider>
    </WagmiProvider>,
  )
}

function Connect() {
  const { address } = useConnection()
  const { mutate, connectors } = useConnect()
  const chain = usePublicClient()?.chain.name
  if (address !== undefined) return <p>{`${address} on ${chain}`}</p>
  return connectors.map((connector) => (
    <button key={connector.uid} type="button" onClick={() => mutate({ connector })}>
      Connect
    </button>
  ))
}
