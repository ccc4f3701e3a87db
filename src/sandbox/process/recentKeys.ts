/** Detects outdated reads. If more than `most` keys have changed, every earlier read counts as outdated. */
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
  /** Returns the current moment for `isSince`. */
  now: () => number
  note: (key: string) => void
  isSince: (key: string, moment: number) => boolean
}
