/**
 * Runs passes while something stays open, with a pause between two of them, and rests until it is woken.
 *
 * @param options.pass one look at everything open; returns whether something stays open
 * @param options.pauseMs between two passes
 * @param options.spacingMs least time from the beginning of a pass to the beginning of the next, also when it is woken: what
 * happens meanwhile is looked at together. The first one after a rest begins at once, and passes take at most a tenth of the
 * time however slow the machine is
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
      // `wake` was called while the last pass was ending.
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

/** A pass that waited for a node or a receiver of messages was not slow for want of time. */
const longestSpacingMs = 500

function rest(ms: number, giveEnd: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    // A service that has nothing else to do may end; the journal keeps what is open.
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
  /** Another pass, soon. */
  wake: () => void
  /** Another pass, after the pause when there is one: for what comes so often that passes would never end. */
  nudge: () => void
  isStopped: () => boolean
  start: () => void
  /** Resolves when the pass that was under way has ended. */
  stop: () => Promise<void>
}
