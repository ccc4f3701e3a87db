import { greatest } from '../../../../redeemkit/core/amount/greatest.ts'
import type { EvmClient } from '../../../../redeemkit/evm/client.ts'

/**
 * How far a chain is: its newest block, and the time that the next one carries, in unix seconds. That is the pending block's: where
 * time was moved and nothing mined since, the newest block does not show it. A node without a pending block goes by its newest.
 */
export async function readTip(chain: EvmClient): Promise<{ blockNumber: bigint; nextTime: bigint }> {
  const blockOf = (tag: string) => chain.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  // Nodes without one answer `pending` with an error, with null or with the newest block.
  const [pending, latest] = await Promise.all([blockOf('pending').catch(() => null), blockOf('latest')])
  const [next, last] = [quantity(pending, 'timestamp'), quantity(latest, 'timestamp')]
  return { blockNumber: quantity(latest, 'number'), nextTime: greatest(next, last) }
}

function quantity(block: unknown, name: 'number' | 'timestamp'): bigint {
  const value: unknown = Reflect.get(Object(block), name)
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : 0n
}
