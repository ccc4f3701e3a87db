import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRedeemkit, RedeemButton, RedeemkitProvider, useOpenRedeems } from 'redeemkit/react'
import { createConfig, http, useConnect, useConnectors, WagmiProvider } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'

const creditsContract = '0xaeFe2d281E200A64cE33030aa3CfC3c79B1Dc1d9' // from your own configuration
const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const kit = createRedeemkit({
  baseUrl: 'http://127.0.0.1:4242',
  merchantId: 'sandbox-shop',
  pins: [{ chainId: baseSepolia.id, creditsContract, creditSeed: 'sandbox-shop' }],
})
const config = createConfig({
  chains: [baseSepolia],
  transports: { [baseSepolia.id]: http('http://127.0.0.1:4242/rpc/base') },
})
const queryClient = new QueryClient()

export default function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <RedeemkitProvider kit={kit}>
          <Wallets />
          <PayButton orderId="order 2" />
          <OpenPurchases except="order 2" />
        </RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

function Wallets() {
  const { mutate: connect } = useConnect()
  return useConnectors().map((connector) => (
    <button type="button" key={connector.uid} onClick={() => connect({ connector })}>
      {connector.name}
    </button>
  ))
}

export function PayButton({ orderId }: { orderId: string }) {
  return (
    <RedeemButton
      purchaseId={orderId}
      subtotal={{ cents: 1000 }}
      transactionData={{ type: 'token', destination: shop }}
    />
  )
}

/** Lists open payments. The order that has its own button on the page is left out. */
export function OpenPurchases({ except }: { except?: string }) {
  const { data, resume } = useOpenRedeems()
  const others = data?.open.filter(({ options }) => options.purchaseId !== except)
  return others?.map(({ options }) => (
    <button
      type="button"
      key={options.purchaseId}
      disabled={resume.isPending}
      onClick={() => resume.mutate(options)}
    >
      Resume {options.purchaseId}
    </button>
  ))
}
