import { focusManager, onlineManager } from '@tanstack/react-query'
import { createPaymentsClient, listOpenRedeems, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createMockService, createMockWallet } from 'redeemkit/mock'
import { expect, test } from 'vitest'
import { appStorage } from './appStorage.ts'
import { followApp } from './followApp.ts'

/** Returns a response without a body stream, as React Native's `fetch` does. */
const withoutStream = (answer: Response): Response => {
  Object.defineProperty(answer, 'body', { value: undefined })
  return answer
}

test('pays in an app, with asynchronous storage and without body streams', async () => {
  expect(globalThis.document).toBeUndefined()
  const items = new Map<string, string>()
  const storage = appStorage({
    getItem: async (key) => items.get(key) ?? null,
    setItem: async (key, value) => void items.set(key, value),
    removeItem: async (key) => void items.delete(key),
    getAllKeys: async () => [...items.keys()],
  })
  const mock = createMockService({ chain: 'waits' })
  const wallet = createMockWallet({ chain: mock.chain })
  const client = createPaymentsClient({
    ...mock.clientOptions,
    blockchain: 'base',
    wallet: wallet.address,
    fetch: async (...request) => withoutStream(await mock.fetch(...request)),
  })
  const own = { signer: wallet, publicClient: mock.chain, pinned: mock.pinned, storage }
  const purchase = {
    purchaseId: 'order 1',
    subtotal: { cents: 1000 },
    transactionData: token({ destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
  }
  await expect(
    redeem(client, { ...own, ...purchase, timeoutMs: 300, pollingIntervalMs: 50 }),
  ).rejects.toThrow()

  // Simulates a restart of the app.
  const { open } = await listOpenRedeems(client, { pinned: mock.pinned, storage })
  expect(open).toMatchObject([{ state: 'signed', options: { purchaseId: 'order 1' } }])
  mock.change({ chain: 'mines' })
  await redeem(client, { ...own, ...purchase })
  expect(wallet.prompts).toHaveLength(1)
})

test('follows the app into the background and offline', () => {
  let onStatus: (status: string) => void = () => {}
  let onConnection: (state: { isConnected: boolean | null }) => void = () => {}
  const end = followApp({
    appState: {
      addEventListener: (_, listener) => {
        onStatus = listener
        return { remove: () => {} }
      },
    },
    netInfo: {
      addEventListener: (listener) => {
        onConnection = listener
        return () => {}
      },
    },
  })
  onStatus('background')
  expect(focusManager.isFocused()).toBe(false)
  onStatus('active')
  expect(focusManager.isFocused()).toBe(true)
  const unsubscribe = onlineManager.subscribe(() => {})
  onConnection({ isConnected: false })
  expect(onlineManager.isOnline()).toBe(false)
  unsubscribe()
  end()
})
