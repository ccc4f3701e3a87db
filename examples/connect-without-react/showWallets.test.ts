// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, createStorage, custom, getConnection, injected } from '@wagmi/core'
import { baseSepolia } from '@wagmi/core/chains'
import { createMockService, createMockWallet } from 'redeemkit/mock'
import { afterEach, expect, test, vi } from 'vitest'
import { showWallets } from './showWallets.ts'

const ends: (() => void)[] = []
afterEach(() => {
  document.body.replaceChildren() // The next test file may use the same document.
  for (const end of ends.splice(0)) end()
})

/** Announces a wallet to the page (EIP-6963). */
function announce(wallet: createMockWallet.ReturnType): void {
  const info = { uuid: crypto.randomUUID(), name: 'Mock wallet', rdns: 'test.mock', icon: 'data:,' }
  const say = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: Object.freeze({ info, provider: wallet.provider }),
      }),
    )
  window.addEventListener('eip6963:requestProvider', say)
  ends.push(() => window.removeEventListener('eip6963:requestProvider', say))
  say()
}

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50))

/** Opens a page with this storage. Opening it a second time acts as a reload. */
function openPage(items: Map<string, string>) {
  const { chain } = createMockService()
  const config = createConfig({
    chains: [baseSepolia],
    connectors: [injected()],
    transports: { [baseSepolia.id]: custom(chain) },
    storage: createStorage({
      storage: {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      },
    }),
  })
  const place = document.createElement('div')
  ends.push(showWallets(place, config))
  const click = (text: string) =>
    [...place.querySelectorAll('button')].find(({ textContent }) => textContent === text)?.click()
  return { config, place, click }
}

test('connects, follows the account, reconnects after a reload, and disconnects', async () => {
  const items = new Map<string, string>()
  const wallet = createMockWallet({ connected: false })
  const first = openPage(items)
  await aMoment()
  expect(first.place.textContent).toBe('No wallet was found in this browser.')
  announce(wallet)
  await vi.waitFor(() => expect(first.place.textContent).toBe('Mock wallet'))

  first.click('Mock wallet')
  const shown = (address: string) => `Mock wallet: ${address.slice(0, 6)}…${address.slice(-4)}Disconnect`
  await vi.waitFor(() => expect(first.place.textContent).toBe(shown(wallet.address)))
  wallet.change({ otherAccount: true })
  await vi.waitFor(() => expect(first.place.textContent).toBe(shown(wallet.address)))
  expect(getConnection(first.config).address).toBe(wallet.address)

  const prompts = wallet.prompts.length
  const second = openPage(items)
  await vi.waitFor(() => expect(second.place.textContent).toBe(shown(wallet.address)))
  expect(wallet.prompts).toHaveLength(prompts)

  second.click('Disconnect')
  await vi.waitFor(() => expect(second.place.textContent).toBe('Mock wallet'))
})

test('reconnects a wallet that announces itself after the page was loaded', async () => {
  const items = new Map<string, string>()
  const wallet = createMockWallet()
  const { place } = openPage(items)
  await aMoment()
  expect(place.textContent).toBe('No wallet was found in this browser.')
  announce(wallet)
  await vi.waitFor(() => expect(place.textContent).toContain('Disconnect'))
  expect(wallet.prompts).toHaveLength(0)
})

test('reports the rejection, without mentioning money', async () => {
  const wallet = createMockWallet({ connected: false, locked: true })
  announce(wallet)
  const { place, click } = openPage(new Map())
  await vi.waitFor(() => expect(place.textContent).toBe('Mock wallet'))
  click('Mock wallet')
  await vi.waitFor(() =>
    expect(place.textContent).toBe('Mock walletYou rejected the request in your wallet.'),
  )
})

test('the page starts without a wallet', async () => {
  const html = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(html)?.[1] ?? ''
  await import('./main.ts')
  expect(document.getElementById('pay')?.textContent).toBe('Connect a wallet to pay')
})
