import type { RedeemStep } from '../redeemStep.ts'
import { type Sleep, sleepFor } from '../within.ts'

const longestPauseMs = 10_000

/** Times after which the customer learns that there is no response, and can try again immediately. */
const noticeMs = 5_000
const sendNowMs = 20_000

/** Waits with growing pauses for a service or node that does not respond, and reports `stillWaiting`. Call `end` afterwards. */
export function startWaiting({ notify, signal, sleep = sleepFor, now, timeoutMs }: startWaiting.Options) {
  const until = now() + timeoutMs
  let slept = 0
  let pauses = 0
  let attempt = new AbortController()
  const sendNow = () => attempt.abort()
  signal?.addEventListener('abort', sendNow)
  if (signal?.aborted) sendNow()
  // A failing listener does not end the attempts, because this step is only information.
  const say = (step: RedeemStep) => () => void notify(step).catch(() => {})
  const timers = [
    setTimeout(say({ step: 'stillWaiting' }), noticeMs),
    setTimeout(say({ step: 'stillWaiting', sendNow }), sendNowMs),
  ]
  return {
    /** Signal of the current attempt. A click on "Retry now" or the caller's signal aborts it. */
    get attempt() {
      return attempt.signal
    },
    renew: () => {
      attempt = new AbortController()
    },
    leftMs: () => until - now(),
    /** Pauses before the next attempt, for `atLeastMs` or longer. Returns false, without a pause, if the time is too short. */
    pause: async (atLeastMs = 0) => {
      if (now() + atLeastMs >= until || slept + atLeastMs >= timeoutMs) return false
      if (!attempt.signal.aborted) {
        const ms = Math.max(Math.min(1_000 * 2 ** pauses++, longestPauseMs), atLeastMs)
        slept += ms
        await Promise.race([sleep(ms), ended(attempt.signal)])
      }
      attempt = new AbortController()
      return true
    },
    end: () => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', sendNow)
    },
  }
}

export declare namespace startWaiting {
  type Options = {
    notify: (step: RedeemStep) => Promise<void>
    signal?: AbortSignal | undefined
    sleep?: Sleep | undefined
    now: () => number
    timeoutMs: number
  }
}

const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
