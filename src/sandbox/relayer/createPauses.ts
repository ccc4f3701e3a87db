/**
 * Remembers what has failed, so that it is not tried again at every pass: after 0.4 seconds, then after twice as long
 * each time, at most 30 seconds.
 */
export function createPauses(now: () => number): Pauses {
  const paused = new Map<string, { failures: number; until: number }>()
  return {
    has: (key) => {
      const left = (paused.get(key)?.until ?? 0) - now()
      // A clock that was put back makes no pause longer.
      return left > 0 && left <= longestMs
    },
    failed: (key) => {
      const failures = (paused.get(key)?.failures ?? 0) + 1
      paused.set(key, { failures, until: now() + Math.min(200 * 2 ** failures, longestMs) })
    },
    done: (key) => {
      paused.delete(key)
    },
  }
}

const longestMs = 30_000

export type Pauses = {
  /** Whether this is to be left alone for now. */
  has: (key: string) => boolean
  failed: (key: string) => void
  done: (key: string) => void
}
