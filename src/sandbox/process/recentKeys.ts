/**
 * Remembers for which keys something happened in this process, to tell whether what was read before still holds.
 *
 * @param most keys that are remembered one by one; beyond that, everything read before counts as outdated
 */
export function recentKeys({ most = 10_000 }: { most?: number } = {}): RecentKeys {
  const latest = new Map<string, number>()
  let count = 0
  let forgotten = 0
  return {
    now: () => count,
    note: (key) => {
      count++
      latest.set(key, count)
      if (latest.size <= most) return
      latest.clear()
      forgotten = count
    },
    isSince: (key, moment) => (latest.get(key) ?? forgotten) > moment,
  }
}

export type RecentKeys = {
  /** A moment, to be compared with what happens later. */
  now: () => number
  /** Something happened for this key. */
  note: (key: string) => void
  /** Whether something happened for a key after a moment. */
  isSince: (key: string, moment: number) => boolean
}
