import { keyedLock } from '../../process/keyedLock.ts'
import type { MovableClock } from '../../process/movableClock.ts'
import { keepClock, restoreClock } from '../../store/keptClock.ts'
import { lockIn } from '../../store/lockIn.ts'
import type { Service } from '../service.ts'
import { advanceChains } from './chainTimes.ts'

/** How far the clock is put forward at once: a hundred years. */
export const maxAdvanceSeconds = 100 * 366 * 86_400

/**
 * Puts the service's clock and the local chains forward, and has what is due by then looked at.
 *
 * @param options.millisecondsFrom how far, by the clock's time in milliseconds; what it throws is thrown, and nothing is moved
 */
export async function moveClock(
  service: Service,
  options: { clock: MovableClock; millisecondsFrom: (now: number) => number },
): Promise<void> {
  const { clock, millisecondsFrom } = options
  await oneAtATime('clock', async () => {
    const database = await service.database()
    let moved = 0
    await lockIn(database, 'clock', async (work) => {
      await restoreClock(work, clock)
      moved = millisecondsFrom(clock())
      clock.advance(moved)
      await keepClock(work, clock)
    })
    await advanceChains(service, { movedSeconds: Math.floor(moved / 1000) })
    // What has become due meanwhile.
    service.relayer.wake()
  })
}

/** Two moves at once would each put the chains forward in the midst of the other's. */
const oneAtATime = keyedLock()
