import { grouped } from '../process/grouped.ts'
import type { MovableClock } from '../process/movableClock.ts'
import { restoreClock } from '../store/keptClock.ts'
import type { Store } from '../store/openStore.ts'

/** Hears how far another process has put the clock: by one statement for those who ask at the same time. */
export function clockListener(
  opened: () => Promise<Store> | undefined,
  clock: MovableClock,
): () => Promise<void> {
  const hear = grouped<Store, undefined>(
    async (stores) => {
      for (const { database } of stores.slice(0, 1)) await restoreClock(database, clock)
      return stores.map(() => undefined)
    },
    { most: Number.POSITIVE_INFINITY },
  )
  return async () => {
    try {
      // What opens it takes the clock from it.
      const store = await opened()
      if (store?.isShared === true) await hear(store)
    } catch {
      // A database that is away is told by what needs it.
    }
  }
}
