import type { EvmClient } from '../../../../redeemkit/evm/client.ts'

/**
 * Lets the next block of a local chain carry this time, and the blocks after it go on from there. No block is mined.
 *
 * @param seconds unix seconds, later than those of the newest block
 */
export async function setChainTime(chain: EvmClient, seconds: bigint): Promise<void> {
  await chain.request({ method: 'evm_setTime', params: [Number(seconds)] })
}
