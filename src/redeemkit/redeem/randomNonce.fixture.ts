import { type Address, concatHex, type Hex, pad, toHex } from 'viem'
import {
  pinned as bound,
  chainId,
  countingSigner,
  creditsContract,
  erc20Log,
  type FakeLog,
  fakeService,
  honestAnswer,
  nowSeconds,
  stranger,
  token,
  usdcAddress,
  wallet,
} from './redeem.fixture.ts'
import { redeem } from './redeem.ts'

/** Bit 255 is clear in the first, and set in the second. */
export const clearNonce: Hex = `0x${'17'.repeat(32)}`
export const taggedNonce: Hex = `0x${'f9'.repeat(32)}`

export const pinned = { ...bound, intentBound: false } as const
export const request = { subtotal: { cents: 1000 }, transactionData: token }
export const validBefore = `${nowSeconds + 600}`
export const hash: Hex = `0x${'ab'.repeat(32)}`
export const sleep = async () => {}

export const refuse = (details: string, status = 412) =>
  Response.json({ message: 'Error Processing your request', details }, { status })
export const feeMoved = 'Total 10.04 exceeds max credits authorized 10.03'

/** Returns a response with a random nonce, and without a salt or a USDC authorization. */
export function randomNonceAnswer(
  body: Parameters<typeof honestAnswer>[0],
  { nonce = taggedNonce, ...options }: Parameters<typeof honestAnswer>[1] & { nonce?: Hex } = {},
) {
  const salt: Hex = `0x${'00'.repeat(32)}`
  const { salt: _, usdcAuthorization: _usdc, ...answer } = honestAnswer({ ...body, salt }, options)
  answer.message.message.nonce = nonce
  return { ...answer, nonce: nonce as string }
}

export type MinedTransaction = {
  hash: Hex
  input: Hex
  to?: Address
  /** A Tempo transaction can have several calls. */
  calls?: { to?: Address; input: Hex }[]
  /** The transaction is pending if this is above the newest block. */
  block: bigint
  status?: '0x0' | '0x1'
  logs: FakeLog[]
}

/** Creates a redeem's transaction. Its call data contains wallet and nonce, and it moves USDC out of the contract. */
export function redeemTransaction(
  change: Partial<MinedTransaction> & { nonce?: Hex } = {},
): MinedTransaction {
  const { nonce = taggedNonce, ...rest } = change
  return {
    hash,
    input: concatHex(['0x11223344', pad(wallet), nonce, pad(stranger)]),
    block: 990n,
    logs: [erc20Log(creditsContract, stranger, 10_000_000n, usdcAddress)],
    ...rest,
  }
}

const isHash = (value: unknown) => typeof value === 'string' && value.length === 66

/** Creates a chain whose credits contract has code, but no `orderState`, `creditsOf` or `Redeemed`. */
export function randomNonceChain(
  change: { transactions?: MinedTransaction[]; code?: Hex; usdc?: bigint } = {},
) {
  const state = {
    blockNumber: 1_000n,
    timestamp: BigInt(nowSeconds),
    transactions: change.transactions ?? [],
    code: change.code ?? '0x6001',
    usdc: change.usdc ?? 1_000_000_000n,
    widest: undefined as bigint | undefined,
  }
  const calls: { method: string; params?: unknown }[] = []
  const blockHash = (number: bigint) => pad(toHex(number + 0xcd00n), { size: 32 })
  const find = (hash: string) => state.transactions.find((one) => one.hash === hash)
  const receipt = (one: MinedTransaction) => ({
    status: one.status ?? '0x1',
    blockNumber: toHex(one.block),
    blockHash: blockHash(one.block),
    transactionHash: one.hash,
    gasUsed: '0x1',
    logs: one.logs,
  })
  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    calls.push({ method, params })
    const [first] = params as [never]
    if (method.startsWith('eth_getTransaction') && !isHash(first)) throw new Error('invalid params')
    switch (method) {
      case 'eth_chainId':
        return toHex(chainId)
      case 'eth_getBlockByNumber': {
        const number = first === 'latest' ? state.blockNumber : BigInt(first)
        // two seconds per block
        const timestamp = state.timestamp - 2n * (state.blockNumber - number)
        return { number: toHex(number), timestamp: toHex(timestamp), hash: blockHash(number) }
      }
      case 'eth_getCode':
        return first === creditsContract ? state.code : '0x'
      case 'eth_call': {
        const { to } = first as { to: Address }
        if (to === usdcAddress) return toHex(state.usdc, { size: 32 })
        if (to === creditsContract) throw { code: 3, message: 'execution reverted' }
        // the precompile that recovers a signer
        return pad(wallet, { size: 32 })
      }
      case 'eth_getTransactionReceipt': {
        const found = find(first)
        return found && found.block <= state.blockNumber ? receipt(found) : null
      }
      case 'eth_getTransactionByHash': {
        const found = find(first)
        if (found === undefined) return null
        const { hash, input, to = creditsContract, calls, block } = found
        const blockNumber = block <= state.blockNumber ? toHex(block) : null
        return { hash, input, from: stranger, to, gas: '0x10', blockNumber, ...(calls && { calls }) }
      }
      case 'eth_getLogs': {
        const { fromBlock, toBlock, address, topics } = first as {
          fromBlock: Hex
          toBlock: Hex
          address: Address
          topics: string[]
        }
        const [from, to] = [BigInt(fromBlock), BigInt(toBlock)]
        if (state.widest !== undefined && to - from + 1n > state.widest) throw new Error('range too wide')
        return state.transactions
          .filter(({ block, status }) => status !== '0x0' && from <= block && block <= to)
          .flatMap(({ hash, logs }) =>
            logs
              .filter((log) => log.address === address && topics.every((topic, i) => log.topics[i] === topic))
              .map((log) => ({ ...log, transactionHash: hash })),
          )
      }
      default:
        throw new Error(`The fake chain has no ${method}.`)
    }
  }
  return { state, calls, request }
}

export function randomNonceService(options: Parameters<typeof fakeService>[0] = {}) {
  const nonces = [taggedNonce, clearNonce, `0x${'a3'.repeat(32)}`] as const
  return fakeService({
    answer: (body, attempt) => randomNonceAnswer(body, { nonce: nonces[attempt - 1] as Hex }),
    ...options,
  })
}

export function guardedStorage(kept = new Map<string, string>()) {
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    replaceItem: (name: string, expected: string | null, value: string | null) => {
      if ((kept.get(name) ?? null) !== expected) return false
      if (value === null) kept.delete(name)
      else kept.set(name, value)
      return true
    },
  }
}

export function shop(service = randomNonceService(), chain = randomNonceChain()) {
  const storage = guardedStorage()
  const signer = countingSigner()
  const buy = (change: Partial<redeem.Options> = {}, page = redeem) =>
    page(service.client, {
      ...request,
      chainId,
      pinned,
      signer,
      publicClient: chain,
      storage,
      purchaseId: 'order 7',
      timeoutMs: 2_000,
      sleep,
      ...change,
    })
  return { ...service, chain, storage, signer, buy }
}
