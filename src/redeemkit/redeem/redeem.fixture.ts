import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseAbiParameters,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeEach } from 'vitest'
import { createPaymentsClient, type PaymentsClient } from '../api/createPaymentsClient.ts'

export type FakeLog = { address: string; topics: readonly unknown[]; data: string; removed?: boolean }

export const creditsContract: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const wallet: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const stranger: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const nonce: Hex = '0xcff8661c04b781a2804ce2e8d1963b73c9a1319707043caa4d50cc6f1323a38d'
export const hash: Hex = `0x${'ab'.repeat(32)}`

export const creditSeedHash = keccak256(toHex('my-shop'))

const abi = parseAbi([
  'event Redeemed(address indexed customerWallet, bytes12 indexed orderKey, bytes32 indexed creditSeedHash, bytes32 nonce, uint256 kindAndTarget, uint256 amounts, uint256 refundedAndGasFee)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const nftAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])

export function redeemedLog(
  change: Partial<{
    address: string
    wallet: Address
    nonce: Hex
    kind: number
    target: Address
    creditSeed: string
    amount: bigint
    usdcAmount: bigint
    refunded: bigint
  }> = {},
): FakeLog {
  const { nonce: used = nonce, target = stranger, amount = 10_000_000n, usdcAmount = 4_000_000n } = change
  return {
    address: change.address ?? creditsContract,
    topics: encodeEventTopics({
      abi,
      eventName: 'Redeemed',
      args: {
        customerWallet: change.wallet ?? wallet,
        orderKey: `0x${used.slice(2, 26)}`,
        creditSeedHash: keccak256(toHex(change.creditSeed ?? 'my-shop')),
      },
    }),
    data: encodeAbiParameters(parseAbiParameters('bytes32, uint256, uint256, uint256'), [
      used,
      (BigInt(change.kind ?? 1) << 160n) | BigInt(target),
      (amount << 128n) | usdcAmount,
      ((change.refunded ?? 5n) << 128n) | 30_000n,
    ]),
  }
}

export function erc20Log(from: Address, to: Address, value: bigint, address: Address = stranger): FakeLog {
  return {
    address,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }
}

export function erc721Log(from: Address, to: Address, tokenId: bigint): FakeLog {
  return {
    address: stranger,
    topics: encodeEventTopics({ abi: nftAbi, eventName: 'Transfer', args: { from, to, tokenId } }),
    data: '0x',
  }
}

export function erc1155Log(from: Address, to: Address, ids: bigint[], values: bigint[]): FakeLog {
  const [id = 0n] = ids
  const [value = 0n] = values
  return ids.length === 1
    ? {
        address: stranger,
        topics: encodeEventTopics({
          abi,
          eventName: 'TransferSingle',
          args: { operator: stranger, from, to },
        }),
        data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [id, value]),
      }
    : {
        address: stranger,
        topics: encodeEventTopics({
          abi,
          eventName: 'TransferBatch',
          args: { operator: stranger, from, to },
        }),
        data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, values]),
      }
}

const [redeemedTopic] = encodeEventTopics({ abi, eventName: 'Redeemed' })

/** `orderState(address,bytes12)` */
export const orderStateSelector = '0x40f2aba9'

/** Encodes the state, and the commitment and time of the nonce that used the order. */
function orderAnswer({ orderState, usedBy, logs, timestamp }: FakeChain['state'], data: string): Hex {
  const asked = `0x${data.slice(74, 138)}`
  // The first word of the event is the nonce.
  const log = logs.find(({ topics: [topic, , order] }) => topic === redeemedTopic && order === asked)
  const used = usedBy ?? (log === undefined || log.data === '0x' ? nonce : `0x${log.data.slice(2, 66)}`)
  return concat([
    toHex(orderState, { size: 32 }),
    orderState === 0 ? zeroHash : pad(`0x${used.slice(26)}`, { size: 32, dir: 'right' }),
    toHex(orderState === 0 ? 0n : timestamp, { size: 32 }),
  ])
}

export type FakeChain = {
  request: (args: { method: string; params?: unknown }) => Promise<unknown>
  calls: { method: string; params: unknown }[]
  /** The next look-ups read this state. Tests change it between calls. */
  state: {
    /** 0 unused, 1 redeemed, 2 cancelled. */
    orderState: number
    usedBy?: Hex
    blockNumber: bigint
    timestamp: bigint
    minedIn: bigint
    logs: FakeLog[]
    code: string
    /** In raw units. */
    credits: bigint
    usdc: bigint
    widest?: bigint
    status: string
  }
}

export function fakeChain(change: Partial<FakeChain['state']> = {}): FakeChain {
  const state: FakeChain['state'] = {
    orderState: 0,
    blockNumber: 1_000n,
    timestamp: 1_800_000_000n,
    minedIn: 990n,
    logs: [redeemedLog()],
    code: '0x',
    status: '0x1',
    credits: 1_000_000_000n,
    usdc: 1_000_000_000n,
    ...change,
  }
  const calls: FakeChain['calls'] = []
  return {
    state,
    calls,
    request: async ({ method, params }) => {
      calls.push({ method, params })
      switch (method) {
        case 'eth_getBlockByNumber':
          return {
            number: `0x${state.blockNumber.toString(16)}`,
            timestamp: `0x${state.timestamp.toString(16)}`,
            hash: `0x${'cd'.repeat(32)}`,
          }
        case 'eth_call': {
          const [{ data }] = params as [{ data: string }]
          const answers: Record<string, bigint> = { '0x3315505b': state.credits, '0x70a08231': state.usdc }
          if (data.startsWith(orderStateSelector)) return orderAnswer(state, data)
          return toHex(answers[data.slice(0, 10)] ?? 0n, { size: 32 })
        }
        case 'eth_getTransactionByHash':
          return null
        case 'eth_chainId':
          return `0x${chainId.toString(16)}`
        case 'eth_getCode':
          return state.code
        case 'eth_getLogs': {
          const [filter] = params as [{ fromBlock: string; toBlock: string }]
          const from = BigInt(filter.fromBlock)
          const to = BigInt(filter.toBlock)
          if (state.widest !== undefined && to - from + 1n > state.widest) throw new Error('range too wide')
          return from <= state.minedIn && state.minedIn <= to
            ? state.logs.map((log) => ({ ...log, transactionHash: hash }))
            : []
        }
        case 'eth_getTransactionReceipt':
          return {
            status: state.status,
            blockNumber: `0x${state.minedIn.toString(16)}`,
            blockHash: `0x${'cd'.repeat(32)}`,
            transactionHash: hash,
            logs: state.logs,
          }
        default:
          throw new Error(`The fake chain has no ${method}.`)
      }
    },
  }
}

/** True for reads of the order, credits or USDC. Other calls verify a signature. */
export function isOwnCall({ method, params }: { method: string; params?: unknown }): boolean {
  if (method !== 'eth_call') return false
  const [{ to }] = params as [{ to?: string }]
  return to === creditsContract || to === usdcAddress
}

/** Fixed randomness, and the salt and order key that result. */
export const random = (length: number) => new Uint8Array(length).fill(0x5a)
export const salt: Hex = `0x${'5a'.repeat(32)}`
export const orderKey: Hex = `0xda${'5a'.repeat(11)}`

export function emptyStorage(items = new Map<string, string>()) {
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

export const chainId = 84532
export const usdcAddress: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const nowSeconds = 1_800_000_000
export const now = () => nowSeconds * 1000

/** Only `sleep` and `later` advance this clock. It is reset before each test. */
export function testClock() {
  let ms = now()
  beforeEach(() => {
    ms = now()
  })
  const sleep = async (duration: number) => {
    ms += duration
  }
  return { clock: () => ms, sleep, later: (seconds: number) => sleep(seconds * 1000) }
}

export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => error,
  )

/** The result of `ecrecover` for a signature of the wallet. */
export const recoveredWallet = `0x${wallet.slice(2).toLowerCase().padStart(64, '0')}`
export const pinned = { creditsContract, creditSeed: 'my-shop' }
export const token = { type: 'token' as const, destination: stranger }

type AuthMsgBody = {
  subtotal: { cents?: number; amount?: number | string }
  transactionData: { destination: Address }
  usdcAmount?: { cents: number }
  salt: Hex
  orderKey: Hex
  purchaseId?: string
  webhookInfo?: object
}

const uint256 = { type: 'uint256' } as const
const bytes32 = { type: 'bytes32' } as const
const address = { type: 'address' } as const

/** Computes the nonce of PROTOCOL.md 4 with an independent ABI encoder, for `token` redeems only. */
function expectedNonce(options: {
  destination: Address
  amount: bigint
  usdcAmount: bigint
  salt: Hex
  orderKey: Hex
}): Hex {
  const settlementHash = keccak256(
    encodeAbiParameters(
      [{ type: 'uint8' }, address, bytes32, address, uint256, bytes32],
      [0, options.destination, keccak256('0x'), zeroAddress, 0n, zeroHash],
    ),
  )
  const hash = keccak256(
    encodeAbiParameters(
      [bytes32, address, bytes32, uint256, uint256, bytes32],
      [
        '0xed78a96cd398eacd3f6e42e2bbee8bd1cfb18c758141b12c47817360b1df4259',
        wallet,
        settlementHash,
        options.amount,
        options.usdcAmount,
        options.salt,
      ],
    ),
  )
  // Requests to services with random nonces have no order key, so any value works.
  return `${options.orderKey ?? nonce.slice(0, 26)}${hash.slice(26)}`
}

const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** Returns the response of an honest service. Each `message` is still an object, so that a test can change it. */
export function honestAnswer(
  body: AuthMsgBody,
  options: { gasFee?: number; validFor?: number; type?: string; amount?: number } = {},
) {
  const { gasFee = 30_000, validFor = 600, type = 'ReceiveWithAuthorization' } = options
  const { amount = (body.subtotal.cents ?? 1000) * 10_000 } = options
  const usdcAmount = (body.usdcAmount?.cents ?? 0) * 10_000
  const validBefore = `${nowSeconds + validFor}`
  const nonce = expectedNonce({
    destination: body.transactionData.destination,
    amount: BigInt(amount),
    usdcAmount: BigInt(usdcAmount),
    salt: body.salt,
    orderKey: body.orderKey,
  })
  const creditsRawAmount = amount - usdcAmount + gasFee
  const transfer = {
    from: wallet as string,
    to: creditsContract as string,
    value: `${usdcAmount}`,
    validAfter: '0',
    validBefore,
    nonce: nonce as string,
  }
  return {
    message: {
      domain: { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract as string },
      types: {
        EIP712Domain: domainType,
        CreditsAuthorization: [
          { name: 'customerWallet', type: 'address' },
          { name: 'creditSeed', type: 'string' },
          { name: 'amount', type: 'uint256' },
          { name: 'validBefore', type: 'uint256' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CreditsAuthorization',
      message: {
        customerWallet: wallet as string,
        creditSeed: 'my-shop',
        amount: creditsRawAmount as number | string,
        validBefore,
        nonce: nonce as string,
      },
    },
    validBefore,
    nonce: nonce as string,
    creditsRawAmount,
    salt: body.salt as string,
    orderKey: body.orderKey as string,
    ...(usdcAmount > 0 && {
      usdcAuthorization: {
        message: {
          domain: { name: 'USDC', version: '2', chainId, verifyingContract: usdcAddress as string },
          types: {
            EIP712Domain: domainType,
            [type]: [
              { name: 'from', type: 'address' },
              { name: 'to', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'validAfter', type: 'uint256' },
              { name: 'validBefore', type: 'uint256' },
              { name: 'nonce', type: 'bytes32' },
            ],
          },
          primaryType: type,
          message: { ...transfer },
        },
        messageData: { ...transfer },
      },
    }),
  }
}

/** Writes the typed data as JSON text, as the service does. */
export function toWire(answer: unknown): string {
  const copy = structuredClone(answer) as { message?: unknown; usdcAuthorization?: { message?: unknown } }
  if (typeof copy?.message === 'object') copy.message = JSON.stringify(copy.message)
  if (typeof copy?.usdcAuthorization?.message === 'object')
    copy.usdcAuthorization.message = JSON.stringify(copy.usdcAuthorization.message)
  return JSON.stringify(copy)
}

const plenty = { credits: { cents: 100_000 }, usdc: { cents: 100_000 } }

export type FakeService = {
  client: PaymentsClient
  fetch: (url: string, init: RequestInit) => Promise<Response>
  received: { creditsAuthMsg: AuthMsgBody[]; sendGaslessTx: Record<string, unknown>[] }
}

/** A service in memory, behind `fetch`, with an independent implementation of nonces and typed data. */
export function fakeService(
  options: {
    answer?: (body: AuthMsgBody, attempt: number) => unknown
    submit?: (body: Record<string, unknown>, attempt: number) => Response | Promise<Response>
    balances?: { credits: { cents: number }; usdc: { cents: number } } | Response
    client?: Partial<Parameters<typeof createPaymentsClient>[0]>
  } = {},
): FakeService {
  const received: FakeService['received'] = { creditsAuthMsg: [], sendGaslessTx: [] }
  const { answer = (body) => honestAnswer(body), submit = () => Response.json({ hash }) } = options
  const fetch: FakeService['fetch'] = async (url, init) => {
    if (url.includes('/api/customer/balances/')) {
      const { balances = plenty } = options
      return balances instanceof Response ? balances.clone() : Response.json(balances)
    }
    const body = JSON.parse(String(init.body))
    if (url.endsWith('/api/redeem/evm/creditsAuthMsg')) {
      received.creditsAuthMsg.push(body)
      return new Response(toWire(answer(body, received.creditsAuthMsg.length)))
    }
    if (!url.endsWith('/api/redeem/evm/sendGaslessTx')) throw new Error(`The fake service has no ${url}.`)
    received.sendGaslessTx.push(body)
    return submit(body, received.sendGaslessTx.length)
  }
  const client = createPaymentsClient({
    baseUrl: 'http://service.test',
    merchantId: 'shop',
    blockchain: 'base',
    environment: 'sandbox',
    wallet,
    now,
    sleep: async () => {},
    fetch,
    ...options.client,
  })
  return { client, received, fetch }
}

/** The well-known first development key; its address is `wallet`. */
export const account = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)

export function countingSigner(
  change: {
    address?: Address
    /** The result of each prompt. Default: a signature. */
    answers?: ((() => Promise<Hex> | Hex) | undefined)[]
    chainId?: number
    /** The result of `wallet_getCapabilities`. Default: the method is unknown. */
    capabilities?: () => unknown
  } = {},
) {
  const asked: unknown[] = []
  const answers = change.answers ?? []
  return {
    asked,
    request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (method === 'eth_accounts') return [change.address ?? wallet]
      if (method === 'eth_chainId') return `0x${(change.chainId ?? chainId).toString(16)}`
      if (method === 'eth_getCode') throw new Error('This wallet has no node.')
      if (method === 'wallet_getCapabilities') {
        if (change.capabilities === undefined) throw new Error('This wallet does not know the method.')
        return change.capabilities()
      }
      asked.push({ method, params })
      if (method !== 'eth_signTypedData_v4') throw new Error(`The wallet was asked for ${method}.`)
      const [, text] = params as [string, string]
      const answer = answers[asked.length - 1]
      if (answer !== undefined) return answer()
      const { types, ...typedData } = JSON.parse(text)
      const { EIP712Domain: _, ...own } = types
      return account.signTypedData({ ...typedData, types: own })
    },
  }
}

/** Signs a number of prompts and fails at the next one. By default, its user rejects the first prompt. */
export const failingSigner = (signed = 0, error: unknown = { code: 4001 }) =>
  countingSigner({ answers: [...Array<undefined>(signed), () => Promise.reject(error)] })

export function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const own = path.length === 0 ? [] : [path]
  if (typeof value !== 'object' || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([key, part]) => leaves(part, [...path, key]))]
}

export function withValue<data extends object>(data: data, path: readonly string[], value: unknown): data {
  const copy = structuredClone(data)
  // The paths come from the data itself.
  let at = copy as Record<string, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>
  const last = path.at(-1) ?? ''
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

/** Simulates a credits contract on a fake chain: mines submitted redeems, one per order. */
export function orders(chain: FakeChain['state']) {
  const redeemed = new Set<string>()
  const attempts = new Map<string, FakeLog>()
  const find = (orderKey: string) => [...redeemed].find((one) => one.startsWith(orderKey))
  return {
    redeemed,
    mine: (body: Record<string, unknown>, change: Parameters<typeof redeemedLog>[0] = {}) => {
      const nonce = String(body.nonce) as Hex
      if (find(nonce.slice(0, 26)) !== undefined) return
      const { subtotal, usdcAmount } = body as { subtotal: { cents: number }; usdcAmount?: { cents: number } }
      const log = redeemedLog({
        nonce,
        kind: 0,
        refunded: 0n,
        amount: BigInt(subtotal.cents) * 10_000n,
        usdcAmount: BigInt(usdcAmount?.cents ?? 0) * 10_000n,
        ...change,
      })
      redeemed.add(nonce)
      attempts.set(nonce, log)
      chain.logs = [log]
    },
    /** Prepares the state and events of the order that an `orderState` call reads. */
    look: (data: string) => {
      if (!data.startsWith(orderStateSelector)) return
      const used = find(`0x${data.slice(74, 98)}`)
      chain.orderState = used === undefined ? 0 : 1
      if (used === undefined) return
      const log = attempts.get(used)
      if (log !== undefined) chain.logs = [log]
    },
  }
}
