import type { Hex } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'
import { type ChainBlock, newestBlock, readBlock } from './chainDepth.ts'
import { type RedeemedEvent, readRedeemed } from './readRedeemed.ts'

/**
 * Finds the event of a redeem by the time that the contract keeps of it, with about one call for each power of two of blocks.
 *
 * @param options.timestamp of the block that redeemed the order, from `orderState`
 */
export async function findRedeemedEvent(
  chain: Pick<EvmChain, 'client' | 'creditsContract'>,
  options: { wallet: Hex; orderKey: Hex; timestamp: bigint },
): Promise<RedeemedEvent | undefined> {
  const { timestamp, ...order } = options
  const newest = await newestBlock(chain)
  if (newest.timestamp < timestamp) return undefined
  const fromBlock = await firstBlock(chain, newest, (block) => block.timestamp >= timestamp)
  // Several blocks may have the same time.
  const next = await firstBlock(chain, newest, (block) => block.timestamp > timestamp)
  const toBlock = newest.timestamp > timestamp ? next - 1n : newest.number
  const [event] = await readRedeemed(chain, { ...order, fromBlock, toBlock })
  return event
}

/** The first block that is late enough; the newest when none is. A block that the node no longer has is too early. */
async function firstBlock(
  chain: Pick<EvmChain, 'client'>,
  newest: ChainBlock,
  isLateEnough: (block: ChainBlock) => boolean,
): Promise<bigint> {
  let [low, high] = [0n, newest.number]
  // Most are asked about soon after they happened.
  for (let step = 1n; high > low; step *= 2n) {
    const at = newest.number > step ? newest.number - step : 0n
    const block = await readBlock(chain, at)
    if (block === undefined || !isLateEnough(block)) {
      low = at + 1n
      break
    }
    high = at
    if (at === 0n) break
  }
  while (low < high) {
    const middle = (low + high) / 2n
    const block = await readBlock(chain, middle)
    if (block !== undefined && isLateEnough(block)) high = middle
    else low = middle + 1n
  }
  return high
}
