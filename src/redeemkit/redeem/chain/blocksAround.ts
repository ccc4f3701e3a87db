import type { EvmClient } from '../../evm/client.ts'
import { ChainReadError, toQuantity } from '../../evm/client.ts'
import { readBlock } from './readBlock.ts'

type Block = { number: bigint; timestamp: bigint }

/** Range of blocks that one `eth_getLogs` of most nodes covers. */
const narrow = 1_000n
/** After so many seconds the redeem is still in the newest blocks, on every chain of at most 16 blocks a second. */
const recentSeconds = 60n
const mostProbes = 48

/**
 * Narrows a range of blocks to those around a block time, by reading a few block headers.
 *
 * Chains differ in their block times, and several blocks may share one second, so the range is wider than one block.
 *
 * @param timestamp unix seconds of the block that is looked for
 * @param options.head the newest block, where the range ends
 * @returns the first and last block of the range. As wide as it was given, where the node does not serve older headers.
 */
export async function blocksAround(
  client: EvmClient,
  timestamp: bigint,
  { first, head }: { first: bigint; head: Block },
): Promise<{ first: bigint; last: bigint }> {
  // The block is above `low`, and at or below `high`.
  let low: { number: bigint; timestamp: bigint | undefined } = { number: first - 1n, timestamp: undefined }
  let high = head
  let guess = head.number - narrow
  if (head.timestamp - timestamp <= recentSeconds)
    return { first: largest(first, guess + 1n), last: head.number }
  try {
    for (let probe = 0; probe < mostProbes && high.number - low.number > narrow; probe++) {
      if (guess <= low.number || guess >= high.number) guess = low.number + (high.number - low.number) / 2n
      const block = await readBlock(client, toQuantity(guess))
      if (block.timestamp === timestamp) {
        // Others of the same second may be beside it, and hold the redeem.
        const first = largest(guess - narrow / 2n, low.number + 1n)
        const last = smallest(guess + narrow / 2n, high.number)
        const isBefore = first === low.number + 1n || (await timeOf(client, first)) < timestamp
        const isAfter = last === high.number || (await timeOf(client, last)) > timestamp
        if (isBefore && isAfter) return { first, last }
        break
      }
      const isBelow = block.timestamp < timestamp
      if (isBelow) low = { ...block, number: guess }
      else high = { ...block, number: guess }
      guess = nextGuess({ low, high, head, timestamp, probe, isBelow })
    }
  } catch (error) {
    // A node without the older headers may still serve their logs.
    if (!(error instanceof ChainReadError)) throw error
  }
  return { first: low.number + 1n, last: high.number }
}

const largest = (one: bigint, other: bigint) => (one > other ? one : other)
const smallest = (one: bigint, other: bigint) => (one < other ? one : other)

const timeOf = async (client: EvmClient, number: bigint) =>
  (await readBlock(client, toQuantity(number))).timestamp

/** Interpolates, a little beyond the target, so that the next probe bounds it from the other side. Every third probe halves the range. */
function nextGuess(at: {
  low: { number: bigint; timestamp: bigint | undefined }
  high: Block
  head: Block
  timestamp: bigint
  probe: number
  isBelow: boolean
}): bigint {
  const { low, high, head, timestamp, probe, isBelow } = at
  const half = low.number + (high.number - low.number) / 2n
  if (probe % 3 === 2) return half
  const known = low.timestamp === undefined ? { from: high, to: head } : { from: low, to: high }
  const seconds = known.to.timestamp - (known.from.timestamp ?? 0n)
  if (seconds <= 0n) return half
  const blocks = known.to.number - known.from.number
  const beyond = narrow / 3n
  return high.number - ((high.timestamp - timestamp) * blocks) / seconds + (isBelow ? beyond : -beyond)
}
