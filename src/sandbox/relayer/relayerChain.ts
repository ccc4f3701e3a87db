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
