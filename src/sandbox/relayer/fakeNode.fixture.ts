import {
  type Chain,
  createPublicClient,
  custom,
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  toHex,
} from 'viem'
import { baseSepolia } from 'viem/chains'
import type { RelayerChain } from './relayerChain.ts'

type Sent = { hash: Hex; raw: Hex; sender: Hex; nonce: number; maxFeePerGas: bigint }
type Mined = Sent & { blockNumber: number; status: Hex; logs: readonly object[] }

/** An in-memory node with a pool and blocks. It mines when a test calls `mine`. */
export function fakeNode(
  terms: Pick<RelayerChain, 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'confirmations'> = {},
) {
  let pool: Sent[] = []
  let mined: Mined[] = []
  let height = 0
  let reorgs = 0
  const hashes = new Map<number, Hex>()
  const node = {
    baseFee: 100n,
    /** Lowest priority fee that the node accepts, which it also suggests. */
    minimumTip: 7n,
    /** Error message that `eth_sendRawTransaction` returns, if set. */
    refusal: undefined as string | undefined,
    /** How many further `eth_getTransactionCount` calls return the count from before the first block. */
    lags: 0,
    /** Whether the node returns no receipts, like a node that lags behind the one that accepts broadcasts. */
    hasNoReceipts: false,
    isDown: false,
    asked: [] as string[],
    /** Includes rejected broadcasts. */
    broadcasts: [] as Hex[],
    /** Returns the result of `eth_call`. */
    call: (data: Hex): Hex => {
      throw new Error(`The fake node has no result for ${data}.`)
    },
    /** Returns the result of `eth_estimateGas`. */
    estimate: (_data: Hex): bigint => 100_000n,
    /** Priority fees of recent blocks; undefined if the node has no fee history. */
    rewards: [10n] as readonly bigint[] | undefined,
    /** The block range of each `eth_getLogs`. */
    ranges: [] as [from: number, to: number][],
    pool: () => pool.map(({ hash }) => hash),
    /** Mines one transaction of the pool, in any order. Default: all of them. */
    mine: (what: { hash?: Hex; status?: 'success' | 'reverted'; logs?: readonly object[] } = {}): void => {
      const { hash, status = 'success', logs = [] } = what
      height++
      const chosen = pool.filter((one) => hash === undefined || one.hash === hash)
      mined.push(
        ...chosen.map((one) => ({
          ...one,
          blockNumber: height,
          status: numberToHex(status === 'success' ? 1 : 0),
          logs,
        })),
      )
      pool = pool.filter((one) =>
        chosen.every(({ sender, nonce }) => one.sender !== sender || one.nonce !== nonce),
      )
    },
    mineEmpty: (blocks: number): void => {
      height += blocks
    },
    /** Uses the account's next nonce, as another program would. */
    useNonce: (sender: Hex, logs: readonly object[] = []): Hex => {
      height++
      const nonce = countOf(sender)
      const hash = keccak256(toHex(`${nonce} ${reorgs}`))
      const other = { hash, raw: hash, sender: lower(sender), nonce, maxFeePerGas: 0n }
      mined.push({ ...other, blockNumber: height, status: '0x1', logs })
      pool = pool.filter((one) => one.sender !== lower(sender) || one.nonce !== nonce)
      return hash
    },
    /** Removes everything after a block from the chain and the pool, as after a reorg or a kill. */
    forgetAfter: (block: number): void => {
      height = block
      mined = mined.filter(({ blockNumber }) => blockNumber <= block)
      pool = []
      reorgs++
      for (const number of hashes.keys()) if (number > block) hashes.delete(number)
    },
    dropPool: (): void => {
      pool = []
    },
  }
  const countOf = (sender: Hex, last = height) =>
    mined.filter((one) => one.sender === lower(sender) && one.blockNumber <= last).length

  async function accept(raw: TransactionSerialized): Promise<Hex> {
    node.broadcasts.push(raw)
    if (node.refusal !== undefined) throw new Error(node.refusal)
    const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw)
    const sender = lower(await recoverTransactionAddress({ serializedTransaction: raw as never })) // may be a transaction of any type
    const hash = keccak256(raw)
    // geth's pool has this limit.
    if (raw.length > 2 + 2 * 131_072) throw new Error('oversized data: transaction size, limit 131072')
    if (nonce < countOf(sender)) throw new Error('nonce too low')
    if (pool.some((one) => one.hash === hash)) throw new Error('already known')
    if (maxFeePerGas < node.baseFee) throw new Error('max fee per gas less than block base fee')
    // geth's message.
    if (maxPriorityFeePerGas < node.minimumTip)
      throw new Error(
        `transaction underpriced: gas tip cap ${maxPriorityFeePerGas}, minimum needed ${node.minimumTip}`,
      )
    const held = pool.find((one) => one.sender === sender && one.nonce === nonce)
    if (held !== undefined && maxFeePerGas * 100n < held.maxFeePerGas * 110n)
      throw new Error('replacement transaction underpriced')
    pool.push({ hash, raw, sender, nonce, maxFeePerGas })
    return hash
  }

  function receipt(hash: Hex): object | null {
    const found = mined.find((one) => one.hash === hash)
    if (found === undefined) return null
    const { sender: from, blockNumber, status } = found
    const to = found.raw === hash ? null : parseTransaction(found.raw).to
    const logs = found.logs.map((log) => ({ ...log, transactionHash: hash }))
    const where = { blockNumber: numberToHex(blockNumber), blockHash: hash, transactionIndex: '0x0' }
    return { transactionHash: hash, from, to, status, logs, gasUsed: '0x5208', type: '0x2', ...where }
  }

  function logsOf({ address, fromBlock, toBlock }: { address: Hex; fromBlock: Hex; toBlock: Hex }) {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    node.ranges.push([from, to])
    return mined
      .filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to)
      .flatMap(({ hash, logs }) => logs.map((log) => ({ ...log, transactionHash: hash })))
      .filter((log) => 'address' in log && log.address === lower(address))
  }

  function blockOf(which: Hex | 'latest', isFull: boolean) {
    const number = which === 'latest' ? height : Number(which)
    const hash = hashes.get(number) ?? keccak256(toHex(`block ${number} ${reorgs}`))
    hashes.set(number, hash)
    const baseFeePerGas = numberToHex(node.baseFee)
    const transactions = mined
      .filter(({ blockNumber }) => blockNumber === number)
      .map(({ hash, sender: from, nonce }) =>
        isFull ? { hash, from, nonce: numberToHex(nonce), type: '0x2' } : hash,
      )
    return { number: numberToHex(number), hash, timestamp: '0x1', baseFeePerGas, transactions }
  }

  const answers: Record<string, (params: [never]) => unknown> = {
    eth_blockNumber: () => numberToHex(height),
    eth_getLogs: ([filter]) => logsOf(filter),
    eth_call: ([{ data }]: [{ data: Hex }]) => node.call(data),
    eth_estimateGas: ([{ data }]: [{ data: Hex }]) => numberToHex(node.estimate(data)),
    eth_getTransactionCount: (params) => {
      const [address, which] = params as unknown as [Hex, Hex | 'latest'] // viem sends these parameters
      if (which !== 'latest') return numberToHex(countOf(address, Number(which)))
      return numberToHex(node.lags-- > 0 ? 0 : countOf(address))
    },
    eth_getTransactionReceipt: ([hash]) => (node.hasNoReceipts ? null : receipt(hash)),
    eth_sendRawTransaction: ([raw]) => accept(raw),
    eth_getBlockByNumber: (params) => blockOf(...(params as unknown as [Hex | 'latest', boolean])), // viem sends these parameters
    eth_feeHistory: () => {
      if (node.rewards === undefined) throw new Error('The method is not available.')
      const reward = node.rewards.map((paid) => [numberToHex(paid)])
      return { oldestBlock: '0x0', baseFeePerGas: [], gasUsedRatio: [], reward }
    },
    eth_maxPriorityFeePerGas: () => numberToHex(node.minimumTip),
  }
  // The relayer's client has the general chain type, without fields of one chain.
  const known: Chain = baseSepolia
  const client = createPublicClient({
    chain: known,
    transport: custom(
      {
        request: async ({ method, params }) => {
          node.asked.push(method)
          if (node.isDown) throw new Error('the node is down')
          const answer = answers[method]
          if (answer === undefined) throw new Error(`The fake node has no ${method}.`)
          return answer(params as [never]) // each method reads its own parameters
        },
      },
      { retryCount: 0 },
    ),
  })
  const chain: RelayerChain = { chainId: baseSepolia.id, client, ...terms }
  return { ...terms, node, chain }
}

const lower = (address: string) => address.toLowerCase() as Hex // lower-case hex is still hex
