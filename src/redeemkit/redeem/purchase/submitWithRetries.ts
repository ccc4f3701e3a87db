import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../../api/errors.ts'
import { type Clock, readClock } from '../../core/clock.ts'
import { ChainReadError, type EvmClient } from '../../evm/client.ts'
import { findRedeem } from '../findRedeem.ts'
import { isOpenRedeemError } from '../isOpenRedeemError.ts'
import type { OpenRedeemError } from '../openRedeem.ts'
import type { SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { submitRedeem } from '../submitRedeem.ts'
import { type Sleep, sleepFor, within } from '../within.ts'
import { refusalOf } from './purchaseRun.ts'

const longestLookMs = 10_000
/** Minimum time to submit. A chain's clock may lag, so the chain may still accept a permit that has just expired. */
const shortestMs = 120_000

/** Limit for a redeem for which the service has returned a hash to follow. */
const maximumHashSubmits = 3

/**
 * Submits until the service accepts or rejects the redeem, the chain shows the outcome (`undefined`), or the time limit ends. All attempts
 * have one nonce, so the redeem executes at most once. The chain is read before each further attempt (PROTOCOL.md 7.4).
 */
export async function submitWithRetries(
  client: PaymentsClient,
  signed: SignedRedeem,
  options: submitWithRetries.Options,
): Promise<SubmittedRedeem | undefined> {
  const { publicClient, pinned, request, notify, signal } = options
  const now = () => readClock(options.now)
  const leftMs = Number(signed.prepared.answer.validBefore) * 1000 - now()
  const { timeoutMs = Math.max(leftMs, shortestMs) } = options
  const waiting = startWaiting({ ...options, now, timeoutMs })
  try {
    for (let submits = 1; ; submits++) {
      await notify({ step: 'submitting', attempt: submits })
      try {
        return await submitRedeem(client, { signed, pinned, request, signal: waiting.attempt })
      } catch (cause) {
        if (!isOpenRedeemError(cause)) {
          // `sendNow` can abort an attempt before it is sent.
          if (!waiting.attempt.aborted || signal?.aborted) throw cause
          waiting.renew()
          continue
        }
        options.onSubmitted(cause)
        if (publicClient === undefined || signal?.aborted) throw cause
        await notify({ step: 'lookingUp', cause })
        for (let isRead = false; !isRead; ) {
          const seen = await lookUp(publicClient, cause, {
            ms: Math.min(waiting.leftMs(), longestLookMs),
            signal,
          })
          if (seen === 'decided') return undefined
          // The service would reject the same submit again; a missing response or too many requests may be temporary.
          const refusal = refusalOf(cause)
          const refused = refusal !== undefined && refusal.remedy !== 'wait'
          isRead = seen === 'undecided'
          if (refused && !(isRead && options.hasHash)) throw cause
          if (refused || (options.hasHash && submits >= maximumHashSubmits)) return undefined
          if (!(await waiting.pause(refusal?.retryAfterMs))) {
            if (refusal && isRead && options.hasHash) return undefined
            throw cause
          }
          if (signal?.aborted) throw aborted()
        }
      }
    }
  } finally {
    waiting.end()
  }
}

export declare namespace submitWithRetries {
  type Options = Pick<submitRedeem.Options, 'pinned' | 'request' | 'signal'> & {
    publicClient: EvmClient | undefined
    notify: (step: RedeemStep) => Promise<void>
    /** Called with the error when the permit may have been submitted. */
    onSubmitted: (cause: OpenRedeemError) => void
    /** Whether an earlier submit returned a hash, which is then followed. */
    hasHash: boolean
    /** Limits the submits. Default: until the permit expires. */
    timeoutMs: number | undefined
    now: Clock | undefined
    sleep: Sleep | undefined
  }
  type ErrorType = submitRedeem.ErrorType | findRedeem.ErrorType
}

const aborted = () => new RequestAbortedError({ sent: true })

/** A node that fails may respond next time; other errors are final. */
async function lookUp(
  publicClient: EvmClient,
  cause: OpenRedeemError,
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
): Promise<'decided' | 'undecided' | 'notRead'> {
  const late = new ChainReadError('The node did not respond in time.', { field: 'publicClient' })
  const look = within(findRedeem(publicClient, cause), {
    ms,
    signal,
    onEnd: (why) => (why === 'aborted' ? aborted() : late),
  })
  try {
    const { state, block } = await look
    const isOpen = state === 'unused' || state === 'unknown'
    return isOpen && block.timestamp < BigInt(cause.validBefore) ? 'undecided' : 'decided'
  } catch (error) {
    if (error instanceof RequestAbortedError) throw error
    if (error instanceof ChainReadError && error.field !== 'creditsContract') return 'notRead'
    throw cause
  }
}

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
