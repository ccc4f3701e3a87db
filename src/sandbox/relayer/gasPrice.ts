import { least } from '../../redeemkit/core/amount/least.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Gas price now, in wei per gas.
 *
 * `expected` is what a transaction of the next block is likely to pay; `maximum` survives a doubled base fee,
 * as far as the chain's bound allows.
 */
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
    /** Of the newest block. */
    base: bigint
    expected: bigint
    maximum: bigint
    priority: bigint
    /** Time of the newest block, unix seconds. */
    timestamp: bigint
  }
}

/** What half of the recent transactions paid on top of the base fee. A node's own suggestion has a floor that local chains lack. */
async function medianPriority(chain: RelayerChain): Promise<bigint> {
  try {
    const { reward } = await chain.client.getFeeHistory({ blockCount: 5, rewardPercentiles: [50] })
    const paid = (reward ?? []).flatMap(([half]) => (half === undefined ? [] : [half]))
    const middle = paid.sort((a, b) => (a < b ? -1 : 1))[Math.floor(paid.length / 2)]
    if (middle !== undefined) return middle
  } catch {
    // A node without fee history.
  }
  return chain.client.estimateMaxPriorityFeePerGas()
}
