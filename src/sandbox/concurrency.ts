/** Creates a keyed mutex. Work with the same key runs one at a time, in order of arrival. */
export function keyedLock(): <result>(key: string, work: () => Promise<result>) => Promise<result> {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.then(
      () => {},
      () => {},
    )
    tails.set(key, tail)
    tail.then(() => {
      if (tails.get(key) === tail) tails.delete(key)
    })
    return mine
  }
}

/** Runs work concurrently, and can hold back new work while exclusive work runs. */
export type Gate = {
  pass: <result>(work: () => Promise<result> | result) => Promise<result>
  /** Closes the gate for new work, waits up to `timeoutMs` for pending work, runs `work` and opens the gate again. */
  whileShut: <result>(
    work: () => Promise<result>,
    options: { timeoutMs: number; onTimeout: () => Error },
  ) => Promise<result>
}

export function createGate(): Gate {
  let underWay = 0
  let shut: Promise<void> | undefined
  let onEmpty = () => {}
  return {
    pass: async (work) => {
      while (shut !== undefined) await shut
      underWay++
      try {
        return await work()
      } finally {
        underWay--
        if (underWay === 0) onEmpty()
      }
    },
    whileShut: async (work, { timeoutMs, onTimeout }) => {
      while (shut !== undefined) await shut
      let open = () => {}
      shut = new Promise<void>((resolve) => {
        open = () => {
          shut = undefined
          resolve()
        }
      })
      try {
        if (underWay > 0)
          await new Promise<void>((resolve, reject) => {
            const timer = setTimeout(() => reject(onTimeout()), timeoutMs)
            onEmpty = () => {
              clearTimeout(timer)
              resolve()
            }
          })
        return await work()
      } finally {
        onEmpty = () => {}
        open()
      }
    },
  }
}

/**
 * Collects items that arrive while a batch is running into the next batch. `run` must return one answer per item, in order; its error
 * rejects every item of the batch.
 */
export function grouped<item, answer>(
  run: (items: readonly item[]) => Promise<readonly answer[]>,
  { most }: { most: number },
): (item: item) => Promise<answer> {
  type Waiting = { item: item; resolve: (value: answer) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let isRunning = false

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void work()
    })

  async function work(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      // Waits, so that all items of the same event loop turn are in one batch.
      await new Promise((resolve) => setImmediate(resolve))
      const some = waiting.slice(0, most)
      waiting = waiting.slice(most)
      try {
        const answers = await run(some.map(({ item }) => item))
        for (const [index, { resolve }] of some.entries()) resolve(answers[index] as answer) // `run` returns one answer per item
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
    isRunning = false
  }
}

/** After a failure, the next call loads the value again. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

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
