import { type Config, connect, createConfig, createStorage, custom, injected, noopStorage } from '@wagmi/core'
import type { Chain, Hex } from 'viem'
import { baseSepolia, sepolia } from 'viem/chains'
import { createSiweMessage } from 'viem/siwe'
import { createMockService } from '../mock/createMockService.ts'
import { createMockWallet } from '../mock/createMockWallet.ts'
import type { PurchaseStorage } from '../redeem/purchase/purchaseStorage.ts'
import {
  chainId,
  countingSigner,
  fakeChain,
  fakeService,
  hash,
  isOwnCall,
  nowSeconds,
  orders,
  pinned,
  recoveredWallet,
  stranger,
  token,
  wallet,
} from '../redeem/redeem.fixture.ts'
import { createRedeemkit } from './createRedeemkit.ts'

export { chainId, hash, stranger, wallet }
export const otherChainId = sepolia.id

export const purchase = { subtotal: { cents: 1000 }, transactionData: token }

type Call = { method: string; params?: unknown }

function fakeWallet(asked: string[]) {
  const listeners = new Map<string, Set<(data: never) => void>>()
  const state = {
    accounts: [wallet] as Hex[],
    chainId,
    /** The chain that the wallet reports, if it is not the real one. */
    named: undefined as number | undefined,
    /** Responses that replace the wallet's own, by method. Each function can call the original. */
    answers: {} as Record<string, (own: () => Promise<unknown>) => unknown>,
    onSign: undefined as ((message: Hex) => Promise<Hex>) | undefined,
    onSend: undefined as ((transaction: { to?: string; data?: Hex }) => Hex) | undefined,
  }
  const signer = countingSigner()
  const emit = (event: string, data: unknown) => {
    // wagmi's listeners. Each takes the payload of its event.
    for (const listener of listeners.get(event) ?? []) listener(data as never)
  }
  const answerOf = async ({ method, params }: Call): Promise<unknown> => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return state.accounts
    if (method === 'wallet_requestPermissions')
      return [{ caveats: [{ type: 'restrictReturnedAccounts', value: state.accounts }] }]
    if (method === 'eth_chainId') return `0x${(state.named ?? state.chainId).toString(16)}`
    if (method === 'wallet_switchEthereumChain') {
      const [{ chainId: to }] = params as [{ chainId: Hex }]
      state.chainId = Number(to)
      emit('chainChanged', to)
      return null
    }
    if (method === 'personal_sign' && state.onSign) return state.onSign((params as [Hex])[0])
    if (method === 'eth_sendTransaction' && state.onSend) return state.onSend((params as [object])[0])
    return signer.request({ method, params })
  }
  return {
    state,
    request: async (call: Call): Promise<unknown> => {
      asked.push(`wallet ${call.method}`)
      const answer = state.answers[call.method]
      return answer === undefined ? answerOf(call) : answer(() => answerOf(call))
    },
    on: (event: string, listener: (data: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event: string, listener: (data: never) => void) =>
      listeners.get(event)?.delete(listener),
    emit,
  }
}

/** Routes of a service that signs the wallet in for an hour. */
export const signInRoutes = {
  routes: {
    auth: () => ({
      message: createSiweMessage({
        address: wallet,
        chainId,
        domain: 'service.test',
        uri: 'http://service.test',
        nonce: 'aaaaaaaaaaaaaaaaa',
        version: '1',
        issuedAt: new Date(nowSeconds * 1000),
        expirationTime: new Date((nowSeconds + 3_600) * 1000),
      }),
    }),
    'auth/verify': () => ({}),
  },
}

export type World = {
  config: Config
  kit: ReturnType<typeof createRedeemkit>
  asked: string[]
  chain: ReturnType<typeof fakeChain>['state']
  wallet: ReturnType<typeof fakeWallet>
  items: Map<string, string>
  /** Milliseconds since 1970, for service, kit and chain. */
  clock: { ms: number }
  redeemed: Set<string>
  gone: { service: boolean; chain: boolean }
  connect: () => Promise<void>
}

/** Creates a service, a chain, a wallet and a page's config and kit. The wallet is not connected yet. */
export function world(
  change: Omit<NonNullable<Parameters<typeof fakeService>[0]>, 'client'> & {
    kit?: Partial<createRedeemkit.Options>
    ssr?: boolean
    /** The service's responses to other calls, by the path after `/api/`. */
    routes?: Record<string, (call: { body: unknown }) => unknown>
    isTaken?: () => boolean
  } = {},
): World {
  const asked: string[] = []
  const clock = { ms: nowSeconds * 1000 }
  const gone = { service: false, chain: false }
  const chain = fakeChain({ timestamp: BigInt(nowSeconds), logs: [] })
  const { redeemed, mine, look } = orders(chain.state)
  const { submit = () => Response.json({ hash }) } = change
  const service = fakeService({
    ...change,
    submit: (body, attempt) => {
      const answer = submit(body, attempt)
      if (change.isTaken?.() === false) return answer
      mine(body)
      return answer
    },
  })
  const fake = fakeWallet(asked)
  const node = custom(
    {
      request: async (call: Call) => {
        asked.push(call.method)
        if (gone.chain) throw new TypeError('Failed to fetch')
        if (call.method !== 'eth_call') return chain.request(call)
        const [{ data }] = call.params as [{ data: string }]
        // A smart account accepts any signature (ERC-1271); ecrecover finds the signer of a key's signature.
        if (data.startsWith('0x1626ba7e')) return `0x1626ba7e${'00'.repeat(28)}`
        if (!isOwnCall(call)) return recoveredWallet
        look(data)
        return chain.request(call)
      },
    },
    { retryCount: 0 },
  )
  const config = createConfig({
    chains: [baseSepolia, sepolia],
    transports: { [baseSepolia.id]: node, [sepolia.id]: node },
    connectors: [injected({ target: () => ({ id: 'fake', name: 'Fake', provider: () => fake as never }) })],
    multiInjectedProviderDiscovery: false,
    // Server rendering needs storage; this one stores nothing.
    storage: change.ssr ? createStorage({ storage: noopStorage }) : null,
    ssr: change.ssr ?? false,
  })
  const items = new Map<string, string>()
  const kit = createRedeemkit({
    baseUrl: 'http://service.test',
    merchantId: 'shop',
    pins: [{ ...pinned, chainId }],
    storage: storageOf(items),
    now: () => clock.ms,
    sleep: async () => {},
    fetch: async (url, init) => {
      const path = new URL(url).pathname.split('/api/')[1] ?? url
      asked.push(path)
      if (gone.service) throw new TypeError('Failed to fetch')
      const route = change.routes?.[path]
      if (route === undefined) return service.fetch(url, init)
      return Response.json(route({ body: init.body && JSON.parse(String(init.body)) }))
    },
    ...change.kit,
  })
  return {
    config,
    kit,
    asked,
    chain: chain.state,
    wallet: fake,
    items,
    clock,
    redeemed,
    gone,
    connect: async () => {
      const [connector] = config.connectors
      await connect(config, { connector })
      asked.length = 0
    },
  }
}

/** Creates a page's config and kit with the mock service and the mock wallet. The wallet is not connected yet. */
export function mockShop(
  options: { service?: createMockService.Options; wallet?: createMockWallet.Options } = {},
) {
  const mock = createMockService(options.service)
  const wallet = createMockWallet({ chain: mock.chain, ...options.wallet })
  const chain: Chain & { id: typeof baseSepolia.id } = baseSepolia
  const config = createConfig({
    chains: [chain],
    transports: { [baseSepolia.id]: custom(mock.chain, { retryCount: 0 }) },
    connectors: [injected({ target: () => ({ id: 'mock', name: 'Mock', provider: wallet.provider }) })],
    multiInjectedProviderDiscovery: false,
    storage: null,
  })
  const kit = createRedeemkit({
    ...mock.clientOptions,
    pins: [{ ...mock.pinned, settlementContract: mock.settlementContract }],
    storage: null,
  })
  return {
    mock,
    wallet,
    config,
    kit,
    connect: async () => {
      const [connector] = config.connectors
      await connect(config, { connector })
    },
  }
}

function storageOf(items: Map<string, string>): PurchaseStorage {
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
    keys: () => [...items.keys()],
  }
}
