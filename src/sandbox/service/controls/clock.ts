import type { PublicClient } from 'viem'
import * as z from 'zod/mini'
import { greatest } from '../../../redeemkit/core/amount.ts'
import { oneOf } from '../../../redeemkit/schema/oneOf.ts'
import { dateTimeText } from '../../../redeemkit/schema/values.ts'
import { nextBlockTime } from '../../chains/anvil/chainTime.ts'
import { keyedLock } from '../../concurrency.ts'
import { lockIn } from '../../store/database.ts'
import { keepClock, type MovableClock, restoreClock } from '../../store/movableClock.ts'
import { invalid } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { sandboxControlsOf } from './sandboxControls.ts'

type TimedChain = { chainId: number; client: Pick<PublicClient, 'getBlock' | 'request'> }

/** Returns the time of each EVM chain's latest block, including bridge destinations, in unix seconds. */
async function chainTimes(service: Pick<Service, 'chains'>) {
  return Promise.all(chainsOf(service).map(async (chain) => ({ ...chain, seconds: await secondsOf(chain) })))
}

/**
 * Advances the EVM chains to the service's clock. A chain whose time is ahead advances by as much as the clock did. Chains of other
 * families read the service's clock, and chains without test methods keep their own time.
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
        // viem's client type lacks these methods of test nodes.
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

/** Maximum step of the clock: a hundred years. */
export const maxAdvanceSeconds = 100 * 366 * 86_400

/** `millisecondsFrom` computes the step from the clock's time in milliseconds. If it throws, the clock does not move. */
export async function moveClock(
  service: Service,
  { clock, millisecondsFrom }: { clock: MovableClock; millisecondsFrom: (now: number) => number },
): Promise<void> {
  await oneAtATime('clock', async () => {
    // If a chain does not respond, nothing moves, so that a repeated call does not move the clock twice.
    await chainTimes(service)
    const database = await service.database()
    let moved = 0
    await lockIn(database, 'clock', async (work) => {
      await restoreClock(work, clock)
      moved = millisecondsFrom(clock())
      clock.advance(moved)
      await keepClock(work, clock)
    })
    await advanceChains(service, { movedSeconds: Math.floor(moved / 1000) })
    service.relayer.wake()
  })
}

/** Serializes moves, because concurrent moves would advance the chains twice. */
const oneAtATime = keyedLock()

const seconds = `expected a whole number from 0 to ${maxAdvanceSeconds}`

const clockBody = oneOf(
  {
    to: z.strictObject({ now: dateTimeText }),
    by: z.strictObject({
      advanceSeconds: z.int(seconds).check(z.minimum(0, seconds), z.maximum(maxAdvanceSeconds, seconds)),
    }),
  },
  { pick: ({ now }) => (now === undefined ? 'by' : 'to') },
)

export const clock = route('GET', '/sandbox/clock', (service) => answer(service))

/** Chains cannot go back in time. */
export const clockMove = route('POST', '/sandbox/clock', async (service, context) => {
  const body = await readBody(context, clockBody)
  const { clock: movable } = sandboxControlsOf(service)
  await moveClock(service, {
    clock: movable,
    millisecondsFrom: (now) => {
      const milliseconds = 'now' in body ? Date.parse(body.now) - now : body.advanceSeconds * 1000
      if (milliseconds < 0)
        throw invalid('now', `The clock is already at ${isoTime(now)} and cannot go back.`)
      if (milliseconds > maxAdvanceSeconds * 1000)
        throw invalid('now', 'The clock can advance at most a hundred years per call.')
      return milliseconds
    },
  })
  return answer(service)
})

async function answer(service: Service) {
  const { clock: movable } = sandboxControlsOf(service)
  const chains = await chainTimes(service)
  return {
    now: isoTime(movable()),
    movedSeconds: Math.round(movable.offsetMs() / 1000),
    chains: chains.map(({ chainId, seconds }) => ({ chainId, now: isoTime(Number(seconds) * 1000) })),
  }
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
