import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  recoverAddress,
} from 'viem'
import { commitmentOf } from '../evm/creditPermit/orderKey.ts'
import { sameHex } from '../evm/values.ts'
import { blockHash, blockNumberAt, blockOf, logsOf, mineRedeems, rpcError, toQuantity } from './blocks.ts'
import { fundsOf, hashOf, type MockRedeem, type MockWorld, minedAttempt, orderOf } from './mockWorld.ts'

/** A JSON-RPC request. */
export type MockRequest = { method: string; params?: unknown }

/** A node of the mock's chain, as an EIP-1193 provider. */
export type MockChain = { request: (request: MockRequest) => Promise<unknown> }

/** Supports the requests of a redeem, a dry run and a wagmi config, and rejects all others with -32601, as a node does. */
export function createMockChain(world: MockWorld): MockChain {
  return {
    request: async ({ method, params }) => {
      const { delayMs, offline, chain } = world.settings
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (offline || chain === 'fails') throw rpcError(-32603, "The mock's node does not respond.")
      mineRedeems(world)
      const answer = answers[method]
      if (answer === undefined) throw rpcError(-32601, `The mock's node does not support ${method}.`)
      return answer(world, Array.isArray(params) ? params : [])
    },
  }
}

type Answer = (world: MockWorld, params: readonly unknown[]) => unknown

const answers: Readonly<Record<string, Answer>> = {
  eth_chainId: ({ terms }) => toQuantity(BigInt(terms.chainId)),
  net_version: ({ terms }) => `${terms.chainId}`,
  eth_blockNumber: (world) => toQuantity(newest(world)),
  eth_getBlockByNumber: (world, [which]) =>
    blockOf(world, /^0x/.test(String(which)) ? BigInt(String(which)) : newest(world)),
  eth_gasPrice: () => '0x3b9aca00',
  eth_getBalance: () => '0x0',
  eth_getCode: codeAt,
  eth_call: call,
  eth_getLogs: logs,
  eth_sendTransaction: cancel,
  eth_getTransactionReceipt: (world, [hash]) => {
    const redeem = byHash(world, hash)
    if ([...world.cancelled.values()].some((one) => one.hash === hash)) return cancelReceipt(world, hash)
    return redeem === undefined || redeem.status === 'pending' ? null : receiptOf(world, redeem)
  },
  eth_getTransactionByHash: (world, [hash]) => {
    const redeem = byHash(world, hash)
    return redeem === undefined ? null : transactionOf(world, redeem)
  },
}

const newest = (world: MockWorld) => blockNumberAt(world, world.terms.now())

const byHash = (world: MockWorld, hash: unknown) =>
  [...world.redeems.values()].find((redeem) => redeem.hash === hash)

function codeAt({ terms, settings }: MockWorld, [address]: readonly unknown[]): Hex {
  const isContract = [terms.pinned.creditsContract, terms.usdc].some((one) => sameHex(one, String(address)))
  return isContract || settings.smartAccounts ? '0x60' : '0x'
}

/** Words are counted after the selector. */
const addressIn = (data: string, word: number): Address =>
  `0x${data.slice(10 + 64 * word + 24, 10 + 64 * (word + 1))}`
const wordOf = (value: bigint): Hex => numberToHex(value, { size: 32 })

const selectors = {
  orderState: '0x40f2aba9',
  bridgeAdapter: '0xbe7dc09b',
  creditsOf: '0x3315505b',
  whitelisted: '0x9a1d40ac',
  balanceOf: '0x70a08231',
  isValidSignature: '0x1626ba7e',
  cancelCreditsAuthorization: '0xac897df7',
} as const

function call(world: MockWorld, [asked, , overrides]: readonly unknown[]): Hex | Promise<Hex> {
  const { to, data = '0x' }: { to?: string; data?: string } = Object(asked)
  const selector = data.slice(0, 10)
  if (sameHex(to, ecrecover)) return recover(data)
  if (sameHex(to, world.terms.pinned.creditsContract)) {
    if (selector === selectors.orderState)
      return stateOf(world, addressIn(data, 0), `0x${data.slice(74, 138)}`)
    if (selector === selectors.bridgeAdapter) return pad(world.terms.bridgeAdapter, { size: 32 })
    if (selector === selectors.creditsOf) return wordOf(fundsOf(world, addressIn(data, 1)).credits)
    if (selector === selectors.whitelisted)
      return encodeAbiParameters([{ type: 'bool' }, { type: 'uint256' }], [true, 0n])
    // a dry run, which overrides the wallet's code
    if (overrides !== undefined && world.settings.chain !== 'reverts') return '0x'
  }
  if (sameHex(to, world.terms.usdc) && selector === selectors.balanceOf)
    return wordOf(fundsOf(world, addressIn(data, 0)).usdc)
  if (world.settings.smartAccounts && selector === selectors.isValidSignature)
    return `${selectors.isValidSignature}${'0'.repeat(56)}`
  const reason = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [revertReason] })
  throw rpcError(3, `execution reverted: ${revertReason}`, reason)
}

const revertReason = 'Rejected by the mock.'

/** The precompile `ecrecover`: recovers the signer from a digest, v, r and s. */
const ecrecover = '0x0000000000000000000000000000000000000001'

async function recover(data: string): Promise<Hex> {
  const [hash = '', v = '', r = '', s = ''] = data.slice(2).match(/.{64}/g) ?? []
  try {
    const signature: Hex = `0x${r}${s}${v.slice(-2)}`
    return pad(await recoverAddress({ hash: `0x${hash}`, signature }), { size: 32 })
  } catch {
    // like the precompile, return nothing for an invalid signature
    return '0x'
  }
}

/** Handles the cancellation of a permit, the only transaction that a customer's wallet sends itself (PROTOCOL.md 3.5). */
function cancel(world: MockWorld, [asked]: readonly unknown[]): Hex {
  const { to, data = '0x' }: { to?: string; data?: string } = Object(asked)
  if (
    !sameHex(to, world.terms.pinned.creditsContract) ||
    !data.startsWith(selectors.cancelCreditsAuthorization)
  )
    throw rpcError(-32601, "The mock's chain accepts only transactions that cancel a permit.")
  const wallet = addressIn(data, 0)
  const nonce: Hex = `0x${data.slice(74, 138)}`
  const order = orderOf(wallet, nonce)
  const hash = hashOf(`cancel ${order}`)
  if (minedAttempt(world, wallet, nonce) === undefined) world.cancelled.set(order, { hash, nonce })
  return hash
}

function cancelReceipt({ terms }: MockWorld, hash: unknown) {
  const number = blockNumberAt({ terms }, terms.startedAt)
  return {
    ...receiptOfAny,
    transactionHash: hash,
    status: '0x1',
    from: relayer,
    to: terms.pinned.creditsContract,
    blockNumber: toQuantity(number),
    blockHash: blockHash(number),
    transactionIndex: '0x0',
    type: '0x2',
    logs: [],
  }
}

/** `orderState`: the state (0 unused, 1 redeemed, 2 cancelled), the attempt's commitment and time. `word` begins with the order key. */
function stateOf(world: MockWorld, wallet: string, word: Hex): Hex {
  const cancelled = world.cancelled.get(orderOf(wallet, word))
  const mined = minedAttempt(world, wallet, word)
  const [state, nonce, block] = cancelled
    ? [2n, cancelled.nonce, blockNumberAt(world, world.terms.startedAt)]
    : mined
      ? [1n, mined.nonce, mined.blockNumber ?? 0n]
      : [0n, undefined, undefined]
  const commitment = pad(nonce === undefined ? '0x' : commitmentOf(nonce), { size: 32, dir: 'right' })
  const timestamp = block === undefined ? 0n : BigInt(String(blockOf(world, block).timestamp))
  return concat([wordOf(state), commitment, wordOf(timestamp)])
}

function logs(world: MockWorld, [filter]: readonly unknown[]): unknown {
  const {
    fromBlock,
    toBlock,
    address,
    topics = [],
  }: { fromBlock?: string; toBlock?: string; address?: unknown; topics?: unknown[] } = Object(filter)
  const inRange = (block: bigint) =>
    block >= BigInt(fromBlock ?? 0) && block <= BigInt(toBlock ?? newest(world))
  return [...world.redeems.values()]
    .filter(
      ({ blockNumber, status }) => status === 'mined' && blockNumber !== undefined && inRange(blockNumber),
    )
    .flatMap((redeem) => writtenLogs(world, redeem))
    .filter(
      (log) =>
        (address === undefined || sameHex(log.address, String(address))) &&
        topics.every((topic, at) => topic === null || sameHex(String(log.topics[at]), String(topic))),
    )
}

function writtenLogs(world: MockWorld, redeem: MockRedeem) {
  const block = redeem.blockNumber ?? 0n
  return logsOf(world, redeem).map((log, index) => ({
    ...log,
    blockNumber: toQuantity(block),
    blockHash: blockHash(block),
    transactionHash: redeem.hash,
    transactionIndex: '0x0',
    logIndex: toQuantity(BigInt(index)),
    removed: false,
  }))
}

const receiptOfAny = {
  contractAddress: null,
  cumulativeGasUsed: '0x30d40',
  gasUsed: '0x30d40',
  effectiveGasPrice: '0x3b9aca00',
  logsBloom: `0x${'00'.repeat(256)}`,
}

function receiptOf(world: MockWorld, redeem: MockRedeem): unknown {
  const isMined = redeem.status === 'mined'
  return {
    ...transactionOf(world, redeem),
    ...receiptOfAny,
    status: isMined ? '0x1' : '0x0',
    transactionHash: redeem.hash,
    logs: isMined ? writtenLogs(world, redeem) : [],
  }
}

function transactionOf({ terms }: MockWorld, { hash, wallet, nonce, blockNumber }: MockRedeem) {
  return {
    hash,
    from: relayer,
    to: terms.pinned.creditsContract,
    // for look-ups that search the transaction's data
    input: `0x${wallet.slice(2)}${nonce.slice(2)}`,
    value: '0x0',
    nonce: '0x0',
    gas: '0x61a80',
    type: '0x2',
    transactionIndex: blockNumber === undefined ? null : '0x0',
    blockNumber: blockNumber === undefined ? null : toQuantity(blockNumber),
    blockHash: blockNumber === undefined ? null : blockHash(blockNumber),
  }
}

const relayer = '0x00000000000000000000000000000000C0FfeE00'
