import type { EvmClient } from '../../../../redeemkit/evm/client/evmClient.ts'
import { nextBlockTime } from './nextBlockTime.ts'

/**
 * Puts one local chain forward, by a block of the new time; its blocks go on from there.
 *
 * @param seconds whole seconds, above 0
 * @returns the time of that block, in unix seconds
 */
export async function increaseChainTime(chain: EvmClient, seconds: number): Promise<bigint> {
  const time = (await nextBlockTime(chain)) + BigInt(seconds)
  await chain.request({ method: 'evm_setNextBlockTimestamp', params: [Number(time)] })
  await chain.request({ method: 'evm_mine', params: [] })
  return time
}
