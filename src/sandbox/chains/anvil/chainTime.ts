import { greatest } from '../../../redeemkit/core/amount.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'

/**
 * Advances a chain whose clock is behind to `seconds`, in Unix seconds. A fork would otherwise continue from the forked block's time, and a
 * persisted chain from the machine's clock (PROTOCOL.md 2.10).
 */
export async function catchUpTime(chain: EvmClient, seconds: bigint): Promise<void> {
  const next = await nextBlockTime(chain)
  if (next + slackSeconds < seconds) await setChainTime(chain, seconds)
}

/** Tolerance for clocks and block timestamps, which have a resolution of one second. */
const slackSeconds = 5n

export async function nextBlockTime(chain: EvmClient): Promise<bigint> {
  return (await readTip(chain)).nextTime
}

/** `nextTime`, in Unix seconds, comes from the pending block, because the newest block does not reflect a time change. */
export async function readTip(chain: EvmClient): Promise<{ blockNumber: bigint; nextTime: bigint }> {
  const blockOf = (tag: string) => chain.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  // Nodes without a pending block return an error, null or the newest block.
  const [pending, latest] = await Promise.all([blockOf('pending').catch(() => null), blockOf('latest')])
  const [next, last] = [quantity(pending, 'timestamp'), quantity(latest, 'timestamp')]
  return { blockNumber: quantity(latest, 'number'), nextTime: greatest(next, last) }
}

function quantity(block: unknown, name: 'number' | 'timestamp'): bigint {
  const value: unknown = Reflect.get(Object(block), name)
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : 0n
}

/** Sets the timestamp of the next block, in Unix seconds, which must be later than the newest block. Mines no block. */
async function setChainTime(chain: EvmClient, seconds: bigint): Promise<void> {
  await chain.request({ method: 'evm_setTime', params: [Number(seconds)] })
}
