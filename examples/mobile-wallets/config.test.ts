import { expect, test } from 'vitest'
import { createShopConfig } from './config.ts'
import { walletLinks } from './walletLinks.ts'

test('offers the wallets of this browser and of a phone', () => {
  const { connectors } = createShopConfig({ projectId: 'test', rpcUrl: 'http://127.0.0.1:9' })
  expect(connectors.map(({ type }) => type)).toEqual(['injected', 'walletConnect'])
})

test('links to the page of an order', () => {
  expect(walletLinks(new URL('https://shop.example/orders/42?lang=pt'))).toEqual([
    { name: 'MetaMask', href: 'https://link.metamask.io/dapp/shop.example/orders/42?lang=pt' },
  ])
})
