/**
 * Runs passes with pauses while work is pending, then idles until it is woken.
 *
 * @param options.pass returns whether any work remains
 * @param options.spacingMs minimum time between the starts of two passes, even when woken, so that events are batched. Slow passes are
 * spaced further apart, so that they take at most a tenth of the time
 */
export function createLoop(options: createLoop.Options): Loop {
  const { pass, pauseMs, spacingMs, onError } = options
  let earliest = 0
  let endSpacing: (() => void) | undefined
  let loop: Promise<void> | undefined
  let again = false
  let stopped = false
  let endPause: (() => void) | undefined

  return {
    wake,
    nudge: () => {
      if (loop === undefined) wake()
      else again = true
    },
    isStopped: () => stopped,
    start: () => {
      stopped = false
      wake()
    },
    stop: async () => {
      stopped = true
      endPause?.()
      endSpacing?.()
      await loop
    },
  }

  function wake(): void {
    if (stopped) return
    again = true
    endPause?.()
    loop ??= run().finally(() => {
      loop = undefined
      // `wake` was called while the last pass was ending, so another pass is needed.
      if (again) wake()
    })
  }

  async function run(): Promise<void> {
    while (!stopped) {
      await spaced()
      if (stopped) return
      again = false
      let unfinished = true
      const began = performance.now()
      try {
        unfinished = await pass()
      } catch (error) {
        onError?.(error)
      }
      const took = performance.now() - began
      earliest = began + Math.min(Math.max(spacingMs, 10 * took), longestSpacingMs)
      if (stopped) return
      if (!unfinished && !again) return
      if (unfinished) await pause()
    }
  }

  async function spaced(): Promise<void> {
    const left = earliest - performance.now()
    if (left > 0) await rest(left, (end) => (endSpacing = end))
  }

  function pause(): Promise<void> {
    return rest(pauseMs, (end) => (endPause = end))
  }
}

/** Upper limit of the spacing: a pass may be slow only because it waits for a node or a webhook receiver. */
const longestSpacingMs = 500

function rest(ms: number, giveEnd: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    // The timer must not keep the process alive; the journal stores pending work.
    timer.unref()
    giveEnd(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export declare namespace createLoop {
  type Options = {
    pass: () => Promise<boolean>
    pauseMs: number
    spacingMs: number
    onError: ((error: unknown) => void) | undefined
  }
}

export type Loop = {
  wake: () => void
  /** Requests another pass without ending the current pause. Use it for frequent events; `wake` would run passes continuously. */
  nudge: () => void
  isStopped: () => boolean
  start: () => void
  stop: () => Promise<void>
}

/** An exponential backoff by key: failed work waits 0.4 seconds, then twice the previous pause, up to 30 seconds. */
export function createPauses(now: () => number): Pauses {
  const paused = new Map<string, { failures: number; until: number }>()
  const has = (key: string) => {
    const left = (paused.get(key)?.until ?? 0) - now()
    // If the clock is set back, the pause must not become longer.
    return left > 0 && left <= longestMs
  }
  const failed = (key: string) => {
    const failures = (paused.get(key)?.failures ?? 0) + 1
    paused.set(key, { failures, until: now() + Math.min(200 * 2 ** failures, longestMs) })
  }
  const done = (key: string) => void paused.delete(key)
  return {
    has,
    keys: () => [...paused.keys()].filter(has),
    failed,
    done,
    run: async (key, work, onError) => {
      if (has(key)) return
      try {
        await work()
        done(key)
      } catch (error) {
        failed(key)
        onError?.(error)
      }
    },
  }
}

const longestMs = 30_000

export type Pauses = {
  has: (key: string) => boolean
  /** Keys that are currently paused. */
  keys: () => readonly string[]
  failed: (key: string) => void
  done: (key: string) => void
  /** Runs work unless its key is paused. Reports a failure and pauses the key. */
  run: (
    key: string,
    work: () => Promise<unknown>,
    onError: ((error: unknown) => void) | undefined,
  ) => Promise<void>
}
