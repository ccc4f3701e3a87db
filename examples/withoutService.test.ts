import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil } from '@redeemkit/sandbox'
import { focusManager, onlineManager } from '@tanstack/react-query'
import { createPaymentsClient, InsufficientFundsError, listOpenRedeems, redeem, userMessage } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createMockService, createMockWallet, mockPurchase } from 'redeemkit/mock'
import { custom } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  normalMerchantAbi as abi,
  normalMerchantBytecode as bytecode,
} from '../contracts/generated/merchants.ts'
import { usdcToken } from '../src/redeemkit/evm/index.ts'
import { anvilRpc } from '../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc } from '../src/sandbox/chains/anvil/prepareUsdc.ts'
import { anvil } from '../test/service/sandboxClient.ts'
import { descriptorsOf } from './clear-signing.ts'
import { checkDeployedShop } from './fork-test.ts'
import { createShopConfig, walletLinks } from './mobile-wallets.ts'
import { kit } from './own-messages.ts'
import { followApp } from './react-native-focus.ts'
import { appStorage } from './react-native-storage.ts'
import { resumeOpenRedeems } from './resume-open-redeems.ts'

describe('clear-signing', () => {
  test('describes the shop’s contract, and USDC under both of its names', () => {
    const files = descriptorsOf({ chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
    expect(Object.keys(files)).toEqual([
      'eip712-CreditsAuthorization.json',
      'eip712-Authorization-USD-Coin.json',
      'eip712-Authorization-USDC.json',
    ])
    expect(files['eip712-CreditsAuthorization.json']?.context.eip712.deployments).toEqual([
      { chainId: 8453, address: '0x5FbDB2315678afecb367f032d93F642f64180aa3' },
    ])
  })
})

describe('mobile-wallets', () => {
  test('offers the wallets of this browser and of a phone', () => {
    const { connectors } = createShopConfig({ projectId: 'test', rpcUrl: 'http://127.0.0.1:9' })
    expect(connectors.map(({ type }) => type)).toEqual(['injected', 'walletConnect'])
  })

  test('links to the page of an order', () => {
    expect(walletLinks(new URL('https://shop.example/orders/42?lang=pt'))).toEqual([
      { name: 'MetaMask', href: 'https://link.metamask.io/dapp/shop.example/orders/42?lang=pt' },
    ])
  })
})

describe('own-messages', () => {
  const { messages } = kit

  test('uses the given messages with amounts of their locale, and English for the rest', () => {
    expect(userMessage({ code: 4001 }, { messages })).toMatch(/^Rechazaste/)
    const poor = new InsufficientFundsError('too few', {
      asset: 'credits',
      have: 1_000_000n,
      need: 10_030_000n,
    })
    expect(userMessage(poor, { messages })).toMatch(
      /^Tienes 1,00\s.+ en créditos y esto cuesta hasta 10,03\s/,
    )
    expect(userMessage({ code: 4001 }, { messages, about: 'other' })).toBe(
      'You rejected the request in your wallet.',
    )
  })
})

describe('react-native', () => {
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
})

describe('resume-open-redeems', () => {
  /** Returns a service whose chain mines nothing yet, and the options of a redeem by a wallet. */
  function open() {
    const items = new Map<string, string>()
    const mock = createMockService({ chain: 'waits' })
    const wallet = createMockWallet({ chain: mock.chain })
    const own = {
      wallet: wallet.address,
      signer: wallet,
      publicClient: mock.chain,
      pinned: mock.pinned,
      storage: {
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, value: string) => items.set(key, value),
        removeItem: (key: string) => items.delete(key),
        keys: () => items.keys(),
      },
    }
    const pay = (purchaseId: string) =>
      redeem(mock.client, { ...own, ...mockPurchase, purchaseId, timeoutMs: 300, pollingIntervalMs: 50 })
    return { mock, wallet, own, pay }
  }

  test('resumes a signed payment without another prompt, and skips an unsigned one', async () => {
    const { mock, wallet, own, pay } = open()
    await expect(pay('signed')).rejects.toMatchObject({ name: 'RedeemTimeoutError' })
    wallet.change({ prompts: 'reject' })
    await expect(pay('rejected')).rejects.toMatchObject({ name: 'UserRejectedError' })

    const prompts = wallet.prompts.length
    mock.change({ chain: 'mines' })
    const shown: unknown[] = []
    const unreadable = await resumeOpenRedeems(mock.client, {
      ...own,
      show: (payment) => shown.push(payment),
    })
    expect(shown).toEqual([{ orderId: 'signed', text: 'Paid.', canRetry: false }])
    expect(unreadable).toEqual([])
    expect(wallet.prompts).toHaveLength(prompts)
  })

  test('reports payments that are still open', async () => {
    const { mock, own, pay } = open()
    await expect(pay('open')).rejects.toThrow()
    mock.change({ chain: 'fails' })
    const shown: unknown[] = []
    await resumeOpenRedeems(mock.client, { ...own, show: (payment) => shown.push(payment) })
    expect(shown).toMatchObject([{ text: expect.stringMatching(/don't pay again/), canRetry: true }])
  })
})

describe('fork-test', () => {
  const chainId = 84_532
  let folder: string
  /** A local chain in place of the real chain. */
  let origin: Awaited<ReturnType<typeof startAnvil>>
  let shop: `0x${string}`
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'redeemkit-fork-'))
    origin = await startAnvil({ chainId })
    const transport = custom(origin, { retryCount: 0 })
    await prepareUsdc(anvilRpc(transport), { chainId })
    const args = [usdcToken({ chainId }).address]
    shop = await anvil(origin.url).deploy(abi, bytecode, args)
  })
  afterAll(async () => {
    await origin?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('checks a deployed shop on a copy of the chain, and again without the endpoint', async () => {
    const record = join(folder, 'base.fork.json')
    const first = await checkDeployedShop({ shop, forkUrl: origin.url, record })
    expect(first).toMatchObject({ verdict: 'ok', block: expect.any(Number) })
    expect(first.text).toContain('buy')
    await origin.stop()
    const again = await checkDeployedShop({ shop, record })
    expect({ ...again, text: hideTotalGas(again.text) }).toEqual({ ...first, text: hideTotalGas(first.text) })
  })

  /** Removes the varying values: the permit's expiry, and the gas of the transaction data, which depends on its zero bytes. */
  function hideTotalGas(report: string): string {
    const [, total] = /([\d,]+) used,/.exec(report) ?? []
    if (total === undefined) throw new Error(`The report has no total gas:\n${report}`)
    return report.replaceAll(total, 'TOTAL'.padStart(total.length))
  }
})
