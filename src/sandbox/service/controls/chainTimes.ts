import type { PublicClient } from 'viem'
import { greatest } from '../../../redeemkit/core/amount/greatest.ts'
import { nextBlockTime } from '../../chains/anvil/chainTime.ts'
import type { Service } from '../service.ts'

type TimedChain = { chainId: number; client: Pick<PublicClient, 'getBlock' | 'request'> }

/** The time of the latest block of each EVM chain, bridge destinations included, in unix seconds. */
export async function chainTimes(service: Pick<Service, 'chains'>) {
  return Promise.all(chainsOf(service).map(async (chain) => ({ ...chain, seconds: await secondsOf(chain) })))
}

/**
 * Puts the local EVM chains forward to the service's clock, each by a block of that time; its blocks go on from there. Local chains of
 * other kinds read the service's own clock. A chain that is ahead stays so: it goes forward by as much as the clock was moved. One that is
 * no test node goes by its own time.
 */
export async function advanceChains(
  service: Pick<Service, 'chains' | 'now' | 'onError'>,
  { movedSeconds = 0 }: { movedSeconds?: number } = {},
): Promise<void> {
  await Promise.all(
    chainsOf(service).map(async (chain) => {
      const now = BigInt(Math.floor(service.now() / 1000))
      const next = await nextBlockTime(chain.client)
      const seconds = greatest(now, next + BigInt(movedSeconds))
      if (seconds === next && (await secondsOf(chain)) >= now) return
      try {
        // Methods of test nodes alone: viem's list of an ordinary client does not have them.
        await chain.client.request({
          method: 'evm_setNextBlockTimestamp',
          params: [Number(seconds)],
        } as never)
        await chain.client.request({ method: 'evm_mine', params: [] } as never)
      } catch (error) {
        service.onError?.(error)
      }
    }),
  )
}

async function secondsOf({ client }: TimedChain): Promise<bigint> {
  return (await client.getBlock()).timestamp
}

function chainsOf({ chains }: Pick<Service, 'chains'>): TimedChain[] {
  const byId = new Map<number, TimedChain>()
  for (const { chainId, client, destinations } of chains.values()) {
    byId.set(chainId, { chainId, client })
    for (const destination of destinations.values())
      if (!byId.has(destination.chainId))
        byId.set(destination.chainId, { chainId: destination.chainId, client: destination.client })
  }
  return [...byId.values()]
}
