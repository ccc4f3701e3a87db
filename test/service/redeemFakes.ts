import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'

/** A chain of one's own making, behind `request`. */
export type FakeLog = { address: string; topics: readonly unknown[]; data: string; removed?: boolean }

export const creditsContract: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const wallet: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const stranger: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const nonce: Hex = '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d'
export const hash: Hex = `0x${'ab'.repeat(32)}`

const abi = parseAbi([
  'event Redeemed(address indexed customerWallet, bytes32 indexed nonce, string creditSeed, uint8 kind, address target, uint256 amount, uint256 usdcAmount, uint256 charged, uint256 refunded, uint256 gasFee)',
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
    creditSeed: string
    kind: number
    charged: bigint
  }> = {},
): FakeLog {
  return {
    address: change.address ?? creditsContract,
    topics: encodeEventTopics({
      abi,
      eventName: 'Redeemed',
      args: { customerWallet: change.wallet ?? wallet, nonce: change.nonce ?? nonce },
    }),
    data: encodeAbiParameters(
      parseAbiParameters('string, uint8, address, uint256, uint256, uint256, uint256, uint256'),
      [
        change.creditSeed ?? 'my-shop ✓',
        change.kind ?? 1,
        stranger,
        10_000_000n,
        4_000_000n,
        change.charged ?? 6_030_000n,
        5n,
        30_000n,
      ],
    ),
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

export type FakeChain = {
  request: (args: { method: string; params?: unknown }) => Promise<unknown>
  calls: { method: string; params: unknown }[]
  /** What the next looks see; change it between calls. */
  state: {
    nonceState: number
    blockNumber: bigint
    timestamp: bigint
    minedIn: bigint
    logs: FakeLog[]
    code: string
    /** The widest range that `eth_getLogs` takes. */
    widest?: bigint
    status: string
  }
}

export function fakeChain(change: Partial<FakeChain['state']> = {}): FakeChain {
  const state: FakeChain['state'] = {
    nonceState: 0,
    blockNumber: 1_000n,
    timestamp: 1_800_000_000n,
    minedIn: 990n,
    logs: [redeemedLog()],
    code: '0x',
    status: '0x1',
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
          }
        case 'eth_call':
          return `0x${state.nonceState.toString(16).padStart(64, '0')}`
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
