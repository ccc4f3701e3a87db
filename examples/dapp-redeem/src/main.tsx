/// <reference types="vite/client" />
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { connectShop, type ShopConfig, ShopProviders } from './config.tsx'
import { Problem } from './payment/Problem.tsx'
import { applyKeptTheme } from './ThemeToggle.tsx'

applyKeptTheme()
const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no #root.')
const root = createRoot(element)
try {
  const answer = await fetch('/shop.json')
  if (!answer.ok) throw new Error(`The shop's server returned ${answer.status}.`)
  const shop: ShopConfig = await answer.json()
  const { testWalletKey: privateKey, chainId } = shop
  if (privateKey !== undefined) {
    const { announceTestWallet } = await import('./testWallet/announceTestWallet.ts')
    announceTestWallet({ privateKey, chainId })
  }
  const connected = connectShop(shop)
  root.render(
    <StrictMode>
      <ShopProviders shop={shop} connected={connected}>
        <App />
      </ShopProviders>
    </StrictMode>,
  )
} catch (error) {
  console.error(error)
  root.render(
    <main className="inner">
      <Problem title="The shop is closed.">
        The shop’s server does not respond. Please reload the page later. Your payments are safe.
      </Problem>
    </main>,
  )
}
