import { greatest } from '../../../redeemkit/core/amount/greatest.ts'
import { least } from '../../../redeemkit/core/amount/least.ts'
import { permitMaximumSeconds } from '../../../redeemkit/core/limits.ts'
import type { Service } from '../service.ts'

/**
 * When a permit made now ends, in unix seconds (PROTOCOL.md 3.3). Where the chain's clock is ahead, it is the one that counts. As long as
 * a caller with the service's clock can take such a permit, it ends within the longest life by that one, less what clocks differ; a
 * chain that was put further ahead counts alone.
 *
 * @param blockTime the time of the chain's next block
 */
export function endOfPermit(service: Pick<Service, 'now' | 'settings'>, blockTime: bigint): bigint {
  const now = BigInt(Math.floor(service.now() / 1000))
  const life = BigInt(service.settings.permitSeconds)
  const latest = now + permitMaximumSeconds - 60n
  if (blockTime + shortestLife > latest) return blockTime + life
  return greatest(now + life, least(blockTime + life, latest))
}

/** Less does not do for somebody who signs. */
const shortestLife = 300n
