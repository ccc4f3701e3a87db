import { createSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { connect, createConfig, custom, injected } from '@wagmi/core'
import { prepareRedeem, redeem } from 'redeemkit'
import { createMerchantClient, createMerchantHandler } from 'redeemkit/merchant'
import { createMockService, createMockWallet } from 'redeemkit/mock'
import { checkout, createRedeemkit, getPlans, getTotals, subscribe } from 'redeemkit/wagmi'
import { createPublicClient, http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { clientOf } from './sandboxClient.ts'

/** Compares the mock of `redeemkit/mock` with the local service: a page must get the same responses from both. */

/** Returns the field names of a value at every depth, without the values. Typed data is parsed from its JSON text. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fieldsOf)
  if (typeof value === 'string' && value.startsWith('{')) return fieldsOf(JSON.parse(value))
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, fieldsOf(one)]),
  )
}

describe('a redeem', () => {
  const request = {
    subtotal: { cents: 1000 },
    usdcAmount: { cents: 400 },
    transactionData: {
      type: 'token',
      destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    },
  } as const

  test('is prepared and completed with the same fields', async () => {
    const sandbox = await startSandbox({ blockchain: 'base' })
    try {
      const { base } = sandbox.chains
      if (base === undefined) throw new Error('The sandbox does not run Base.')
      const mock = createMockService()
      const { account } = sandbox.accounts.alice
      const client = clientOf(sandbox, { wallet: account.address })
      const real = { pinned: base.pinned, chainId: base.chainId }
      const ofService = await prepareRedeem(client, { ...request, ...real, wallet: account.address })
      const ofMock = await prepareRedeem(mock.client, { ...request, pinned: mock.pinned })
      expect(fieldsOf(ofMock)).toEqual(fieldsOf(ofService))
      const publicClient = createPublicClient({ transport: http(base.rpcUrl) })
      const paid = await redeem(client, { ...request, ...real, signer: account, publicClient })
      const played = await redeem(mock.client, {
        ...request,
        pinned: mock.pinned,
        signer: createMockWallet(),
        publicClient: mock.chain,
      })
      expect(fieldsOf(played)).toEqual(fieldsOf(paid))
      expect(played.outcome?.movements.map(({ direction, amount }) => [direction, amount])).toEqual(
        paid.outcome?.movements.map(({ direction, amount }) => [direction, amount]),
      )
    } finally {
      await sandbox.stop()
    }
  })
})

describe('the checkout of a wagmi app', () => {
  const apiKey = 'sk_test_shop_0123456789'
  const plan = { code: 'gold', name: 'Gold', interval: 'Monthly', amount: { cents: 999, currency: 'USD' } }
  const origin = 'http://localhost'
  const order = { subtotal: { cents: 1250, currency: 'USD' } } as const
  const sandbox = createSandbox({
    chains: [],
    merchants: [{ merchantId: 'mock-shop', apiKey, settings: withoutProtection, plans: [plan] as never }], // As in a configuration file.
  })
  const fetchReal = async (url: string, init: RequestInit) => sandbox.app.request(url, init)
  const merchant = createMerchantClient({
    baseUrl: origin,
    apiKey,
    merchantId: 'mock-shop',
    fetch: fetchReal,
  })
  const wallet = createMockWallet()
  const handler = createMerchantHandler({
    client: merchant,
    authenticate: () => ({ userId: 'mock-user', wallet: wallet.address, blockchain: 'base' }),
    expose: { mobileAppCheckout: true, getSessionKey: true },
  })
  const mock = createMockService({ plans: [{ ...plan, id: 'gold', active: true } as never] })
  const config = createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: custom(mock.chain) },
    connectors: [injected({ target: () => ({ id: 'mock', name: 'Mock', provider: wallet.provider }) })],
    storage: null,
  })
  const kits = {
    'the mock': createRedeemkit({ ...mock.clientOptions, pins: [mock.pinned] }),
    'the service': createRedeemkit({
      ...mock.clientOptions,
      baseUrl: origin,
      pins: [mock.pinned],
      sessionKey: async () => (await merchant.getSessionKey({ userId: 'mock-user' })).key,
      fetch: (url, init) =>
        url.includes('/calls/') ? handler(new Request(url, init)) : fetchReal(url, init),
    }),
  }
  beforeAll(async () => {
    // An injected wallet exists only in a page.
    vi.stubGlobal('window', {})
    const [connector] = config.connectors
    if (connector !== undefined) await connect(config, { connector })
    vi.unstubAllGlobals()
  })
  afterAll(() => sandbox.stop())

  const both = async <answer>(ask: (kit: (typeof kits)['the mock']) => Promise<answer>) => {
    const [played, real] = [await ask(kits['the mock']), await ask(kits['the service'])]
    return { played, real }
  }

  test('orders by Pix', async () => {
    const { played, real } = await both((kit) =>
      checkout(config, { kit, ...order, by: 'pix', email: 'ana@shop.example' }),
    )
    expect(fieldsOf(played)).toEqual(fieldsOf(real))
  })

  test('orders in a mobile app through the merchant’s server', async () => {
    const { played, real } = await both((kit) =>
      checkout(config, { kit, ...order, by: 'mobileApp', handlerUrl: `${origin}/calls` }),
    )
    expect(fieldsOf(played)).toEqual(fieldsOf(real))
  })

  test('returns totals for the same payment methods', async () => {
    const { played, real } = await both((kit) => getTotals(config, { kit, ...order }))
    expect(Object.keys(played).sort()).toEqual(Object.keys(real).sort())
    for (const { card } of [played, real]) {
      const { total, lines: _, ...parts } = card ?? {}
      const sum = Object.values(parts).reduce((cents, part) => cents + Object(part).cents, 0)
      expect(sum).toBe(total?.cents)
    }
  })

  test('sells a plan', async () => {
    const plans = await both((kit) => getPlans(config, { kit }))
    expect(plans.real.map(({ code }) => code)).toEqual(plans.played.map(({ code }) => code))
    const { token } = await merchant.tokenizeCard({
      body: { ...testCards.approved, expMonth: '12', expYear: '40' },
    })
    const real = await subscribe(config, { kit: kits['the service'], planCode: 'gold', token })
    const played = await subscribe(config, {
      kit: kits['the mock'],
      planCode: 'gold',
      token: 'mock-card-1',
    })
    expect(fieldsOf(played)).toEqual(fieldsOf(real))
  })
})
