import { greatest, least } from '../../core/amount.ts'
import {
  askNode,
  ChainReadError,
  type EvmClient,
  toBigInt,
  toQuantity,
  toRecord,
  unusableAnswer,
} from '../../evm/client.ts'
import { isHex } from '../../evm/values.ts'

/** `which` is `latest`, or the block number in hex. */
export async function readBlock(
  client: EvmClient,
  which: string,
): Promise<{ number: bigint; timestamp: bigint; hash: string | undefined }> {
  const head = toRecord(
    await askNode(client, 'eth_getBlockByNumber', [which, false], { field: 'publicClient' }),
    'the block',
  )
  return {
    number: toBigInt(head.number, 'the block number'),
    timestamp: toBigInt(head.timestamp, 'the block time'),
    hash: isHex(head.hash, 32) ? head.hash.toLowerCase() : undefined,
  }
}

type Block = { number: bigint; timestamp: bigint }

/** Most nodes allow this many blocks for one `eth_getLogs`. */
const narrow = 1_000n
/** At up to 16 blocks per second, the newest 1,000 blocks include every redeem of the last 60 seconds. */
const recentSeconds = 60n
const mostProbes = 48

/**
 * Finds the blocks around a time (unix seconds) by a few block headers. Several blocks may share one second. Returns the whole range if
 * the node does not serve older headers. `head` is the newest block, where the range ends.
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
    return { first: greatest(first, guess + 1n), last: head.number }
  try {
    for (let probe = 0; probe < mostProbes && high.number - low.number > narrow; probe++) {
      if (guess <= low.number || guess >= high.number) guess = low.number + (high.number - low.number) / 2n
      const block = await readBlock(client, toQuantity(guess))
      if (block.timestamp === timestamp) {
        // Neighbouring blocks of the same second may contain the redeem.
        const first = greatest(guess - narrow / 2n, low.number + 1n)
        const last = least(guess + narrow / 2n, high.number)
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

const timeOf = async (client: EvmClient, number: bigint) =>
  (await readBlock(client, toQuantity(number))).timestamp

/** Interpolates slightly past the target, so that the next block read bounds it from the other side. Every third step halves the range. */
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

/** Nodes are known to allow these block ranges for one `eth_getLogs`. */
const spans = [10_000n, 2_000n, 500n, 100n, 10n, 5n]

/**
 * Reads logs from the newest block backwards, in smaller steps if the node rejects a range. `widest` limits the blocks per request. Default:
 * 1,000 at first, then all remaining.
 */
export async function* walkLogs(
  client: EvmClient,
  filter: { address: string; topics: readonly (string | null)[] },
  { first, last, mostRequests = 300, widest }: walkLogs.Options,
): AsyncGenerator<{ logs: readonly unknown[]; from: bigint }> {
  let span = 1_000n
  let refused = false
  let to = last
  for (let requests = 0; to >= first && requests < mostRequests; requests++) {
    const from = to - first < span ? first : to - span + 1n
    const range = { fromBlock: toQuantity(from), toBlock: toQuantity(to) }
    let logs: unknown
    try {
      logs = await askNode(client, 'eth_getLogs', [{ ...filter, ...range }], { field: 'publicClient' })
    } catch (error) {
      const smaller = spans.find((one) => one <= to - from)
      if (smaller === undefined) throw error
      span = smaller
      refused = true
      continue
    }
    if (!Array.isArray(logs)) throw unusableAnswer(logs, 'eth_getLogs')
    yield { logs, from }
    to = from - 1n
    if (!refused) span = widest ?? last + 1n
  }
}

export declare namespace walkLogs {
  type Options = {
    first: bigint
    last: bigint
    mostRequests?: number | undefined
    widest?: bigint | undefined
  }
}
