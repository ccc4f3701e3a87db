/** A page in React that uses the packed package as the README says, for a project of Vite that renders it on a server, too. */

const page = `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { formatUsd, userMessage } from 'redeemkit'
import { createRedeemkit, RedeemkitProvider, useBalances, useRedeem } from 'redeemkit/react'
import { base } from 'viem/chains'
import { createConfig, http, WagmiProvider } from 'wagmi'

const config = createConfig({ chains: [base], connectors: [], transports: { [base.id]: http() }, ssr: true })
const kit = createRedeemkit({
  baseUrl: 'https://service.example',
  merchantId: 'shop',
  pins: [{ chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' }],
})

function Balance() {
  const { data, fetchStatus } = useBalances()
  return <p id="balance">{data ? formatUsd({ cents: data.credits.cents }) : fetchStatus}</p>
}

function Pay({ orderId }: { orderId: string }) {
  const { step, canClick, onClick, signing, userMessage: problem } = useRedeem({
    purchaseId: orderId,
    subtotal: { cents: 1000 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  })
  return (
    <>
      <p>{signing?.text}</p>
      <button type="button" disabled={!canClick} onClick={onClick}>{step}</button>
      <p role="alert">{problem}</p>
    </>
  )
}

export function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <RedeemkitProvider kit={kit}>
          <h1>{formatUsd(10_250_000n)}</h1>
          <p>{userMessage(new Error('unknown'))}</p>
          <Balance />
          <Pay orderId="order-1" />
        </RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
`

/** Path → text. */
export const frontEndFiles: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:," /></head>
<body><div id="root"><!--app--></div><script type="module" src="/src/client.tsx"></script></body></html>`,
  'vite.config.js': `import react from '@vitejs/plugin-react'
export default { plugins: [react()], logLevel: 'warn', build: { emptyOutDir: false } }`,
  'src/App.tsx': page,
  'src/client.tsx': `import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
hydrateRoot(document.getElementById('root')!, <App />, {
  onRecoverableError: (error) => console.error('hydration', error),
})
document.documentElement.dataset.hydrated = 'yes'`,
  'src/server.tsx': `import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'
export const render = () => renderToString(<App />)`,
  // As Vite's own template has them; `App.tsx` beside them is the README's.
  'src/shop/index.html': `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:," /></head>
<body><div id="root"></div><script type="module" src="/main.tsx"></script></body></html>`,
  'src/shop/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'
createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>)`,
  /** Does what a bundler of server components does: a file with 'use client' is a reference there, and its code stays out. */
  'asServerComponent.mjs': `import { register } from 'node:module'
const hooks = \`
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.js')) return next(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  if (!/^\\\\s*(["'])use client\\\\1/.test(text)) return next(url, context)
  const names = [...text.matchAll(/export \\\\{([^}]*)\\\\}/g)].flatMap(([, list]) => list.split(',').map((one) => one.trim().split(' as ').at(-1)))
  const source = names.map((name) => 'export const ' + name + ' = { clientReference: ' + JSON.stringify(name) + ' }').join('\\\\n')
  return { format: 'module', source, shortCircuit: true }
}
\`
register('data:text/javascript,' + encodeURIComponent(hooks))`,
}
