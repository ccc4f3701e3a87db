import type { BaseError } from '../core/errors/baseError.ts'

/** One signal out of several, and a race of any promise against it: also a fetch that ignores signals is left in time. */
export function watchSignals(signals: readonly (AbortSignal | undefined)[], reason: () => BaseError) {
  const controller = new AbortController()
  let lose: (error: BaseError) => void = () => {}
  const lost = new Promise<never>((_, reject) => {
    lose = reject
  })
  // There may be no race at the moment.
  lost.catch(() => {})
  const stop = (error: BaseError) => {
    lose(error)
    controller.abort(error)
  }
  const aborted = () => stop(reason())
  for (const signal of signals) {
    if (signal?.aborted) aborted()
    signal?.addEventListener('abort', aborted, { once: true })
  }
  return {
    signal: controller.signal,
    stop,
    race: <value>(promise: Promise<value>): Promise<value> => Promise.race([lost, promise]),
    end: () => {
      for (const signal of signals) signal?.removeEventListener('abort', aborted)
    },
  }
}
