import type { ChainReadError, EvmClient } from '../../evm/client.ts'
import { askNode, toQuantity, unusableAnswer } from '../../evm/client.ts'

/** Numbers of blocks that nodes are known to allow for one `eth_getLogs`. */
const spans = [10_000n, 2_000n, 500n, 100n, 10n]

/**
 * Reads logs from the newest block backwards, in smaller steps where the node refuses.
 *
 * @param options.widest most blocks of one question. Default: 1,000 at first, then all that are left.
 * @returns the logs of each step, as they came, and the step's first block
 * @throws ChainReadError when the node refuses the smallest step, too
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
  type ErrorType = ChainReadError
}
