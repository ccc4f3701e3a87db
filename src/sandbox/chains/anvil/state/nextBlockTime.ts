import type { EvmClient } from '../../../../redeemkit/evm/client.ts'
import { readTip } from './readTip.ts'

/** The time that the next block of a chain carries, in unix seconds. */
export async function nextBlockTime(chain: EvmClient): Promise<bigint> {
  return (await readTip(chain)).nextTime
}
