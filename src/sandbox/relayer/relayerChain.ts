import {
  type Chain,
  type Hex,
  HttpRequestError,
  type PublicClient,
  TimeoutError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem'
import { least } from '../../redeemkit/core/amount.ts'
import { mostTransactionGas } from '../../redeemkit/core/limits.ts'

export type RelayerChain = {
  chainId: number
  client: PublicClient<Transport, Chain>
  /** Number of confirmations after which a reorg cannot remove a block. Default: 0. */
  confirmations?: number
  /** Maximum priority fee in wei per gas. Default: the median priority fee of recent transactions. */
  maxPriorityFeePerGas?: bigint | undefined
  /** Maximum total fee in wei per gas. Transactions wait while the base fee is higher. Default: no limit. */
  maxFeePerGas?: bigint | undefined
}

export type RelayerStep = 'journalled' | 'broadcast'

/** Returns undefined until the transaction is mined. */
export async function receiptOf(chain: RelayerChain, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Returns the newest block that a reorg cannot remove; undefined while the chain has too few blocks. */
export async function deepBlockNumber({
  client,
  confirmations = 0,
}: RelayerChain): Promise<bigint | undefined> {
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const deep = newest - BigInt(confirmations)
  return deep < 0n ? undefined : deep
}

/** In wei per gas. `expected` is the likely price in the next block; `maximum` covers a doubled base fee, up to the chain's limit. */
export async function gasPrice(chain: RelayerChain): Promise<gasPrice.ReturnType> {
  const [block, usual] = await Promise.all([
    chain.client.getBlock({ blockTag: 'latest' }),
    medianPriority(chain),
  ])
  const most = chain.maxPriorityFeePerGas
  const priority = most === undefined || usual < most ? usual : most
  const base = block.baseFeePerGas ?? (await chain.client.getGasPrice())
  const enough = 2n * base + priority
  const maximum = least(enough, chain.maxFeePerGas ?? enough)
  return {
    base,
    expected: base + priority,
    maximum,
    priority: least(priority, maximum),
    timestamp: block.timestamp,
  }
}

export declare namespace gasPrice {
  type ReturnType = {
    base: bigint
    expected: bigint
    maximum: bigint
    priority: bigint
    /** Timestamp of the newest block, unix seconds. */
    timestamp: bigint
  }
}

/** Returns the median priority fee of recent blocks. A node's own suggestion has a minimum, which is too high for local chains. */
async function medianPriority(chain: RelayerChain): Promise<bigint> {
  try {
    const { reward } = await chain.client.getFeeHistory({ blockCount: 5, rewardPercentiles: [50] })
    const paid = (reward ?? []).flat()
    const middle = paid.sort((a, b) => (a < b ? -1 : 1))[Math.floor(paid.length / 2)]
    if (middle !== undefined) return middle
  } catch (error) {
    // The node's suggestion is used only without fee history. A failed request must not raise the fee.
    if (error instanceof HttpRequestError || error instanceof TimeoutError) throw error
  }
  return chain.client.estimateMaxPriorityFeePerGas()
}

/**
 * Returns the first block that matches, or the newest if none does. Assumes that every block after a match also matches. Starts at the
 * newest block, because most searches are for something recent.
 */
export async function firstBlock(
  newest: bigint,
  matches: (blockNumber: bigint) => Promise<boolean>,
): Promise<bigint> {
  let [low, high] = [0n, newest]
  for (let step = 1n; high > low; step *= 2n) {
    const at = newest > step ? newest - step : 0n
    if (!(await matches(at))) {
      low = at + 1n
      break
    }
    high = at
    if (at === 0n) break
  }
  while (low < high) {
    const middle = (low + high) / 2n
    if (await matches(middle)) high = middle
    else low = middle + 1n
  }
  return high
}

/**
 * Nodes reject transactions above the limit of EIP-7825, which would block the nonce queue. A higher estimate shows that this chain
 * accepts more.
 */
export function withinLimit(gas: bigint, estimated: bigint): bigint {
  return estimated > mostTransactionGas ? gas : least(gas, mostTransactionGas)
}

/** The state may change before the transaction is mined. `extra` is for nested calls: each level reserves a 64th of the gas. */
export function withHeadroom(gas: bigint, extra = 0n): bigint {
  return withinLimit((gas * 5n) / 4n + extra, gas)
}

/** Gas limit of one redeem. Its nested calls reserve a 64th of the gas at each level. Unused gas costs nothing. */
export const redeemGasLimit = (estimated: bigint) => withHeadroom(estimated, 20_000n)
