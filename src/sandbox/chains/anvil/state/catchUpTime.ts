import type { EvmClient } from '../../../../redeemkit/evm/client.ts'
import { nextBlockTime } from './nextBlockTime.ts'
import { setChainTime } from './setChainTime.ts'

/**
 * Lets the blocks of a chain that is behind go on at this time: those of a fork would go on from the block that was forked, and
 * those of a kept chain from the machine's clock, though its last block may be later (PROTOCOL.md 2.10). A chain that is ahead
 * stays so.
 *
 * @param seconds unix seconds
 */
export async function catchUpTime(chain: EvmClient, seconds: bigint): Promise<void> {
  const next = await nextBlockTime(chain)
  if (next + slackSeconds < seconds) await setChainTime(chain, seconds)
}

/** Clocks and blocks count whole seconds. */
const slackSeconds = 5n
