import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { type ClientOptions, checkCount } from './clientOptions.ts'
import {
  type InvalidAnswerError,
  RequestAbortedError,
  type ServiceTimeoutError,
  ServiceUnreachableError,
  type SessionKeyError,
} from './errors.ts'
import type { Call } from './paymentsClient.ts'
import { sendOnce, watchSignals } from './sendOnce.ts'
import { isServiceError, type ServiceError } from './serviceError.ts'

/**
 * Sends a call, with the retries of PROTOCOL.md 7.3.
 *
 * Retried, up to `retry.attempts` attempts in total:
 * - after a 429, if `retry-after` is at most `retry.maxWaitMs`, and after `INSUFFICIENT_CREDITS`: the service did nothing
 * - after a 5xx or a broken connection, only a call that may be repeated; not after a timeout, because the caller has waited long
 *   enough
 * - once after a 401, with a new session key, if the session key is a function
 *
 * A call that must `never` be repeated is sent once. After its 401, and after any 403, the next call fetches a new session key.
 */
export async function send<answer>(call: Call<answer>, means: sendOnce.Means): Promise<answer> {
  const { options } = means
  const { attempts = 3, baseMs = 500, maxWaitMs = 30_000, random = Math.random } = options.retry || {}
  checkCount(call.timeoutMs, 'timeoutMs')
  let fresh = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(call, means, { attempt, fresh })
    } catch (error) {
      if (isServiceError(error) && error.status === 401 && means.refreshable && !fresh) {
        fresh = true
        if (call.repeatable !== 'never') continue
        means.forgetKey?.()
      }
      // the key may belong to the customer who used the page before
      if (isServiceError(error) && error.name === 'ForbiddenError') means.forgetKey?.()
      const { repeatable } = call
      if (repeatable === 'never' || options.retry === false || attempt >= attempts) throw error
      if (!mayRepeat(error, repeatable)) throw error
      const asked = isServiceError(error) ? error.retryAfterMs : undefined
      const wait = asked ?? baseMs * 2 ** (attempt - 1) * (1 - random() / 2)
      // False for NaN.
      if (!(wait >= 0 && wait <= maxWaitMs)) throw error
      if (!isUndone(error)) call.onLost?.()
      await pause(wait, call, options)
    }
  }
}

export declare namespace send {
  type ErrorType =
    | ServiceError
    | ServiceUnreachableError
    | ServiceTimeoutError
    | InvalidAnswerError
    | RequestAbortedError
    | SessionKeyError
    | InvalidOptionError
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (isUndone(error)) return true
  return (
    repeatable &&
    (isServiceError(error) ? error.remedy === 'tryAgain' : error instanceof ServiceUnreachableError)
  )
}

/** The service did nothing, and asks the client to wait or to add credits. */
function isUndone(error: unknown): boolean {
  return isServiceError(error) && (error.remedy === 'wait' || error.remedy === 'backOff')
}

async function pause(ms: number, call: Call, options: ClientOptions): Promise<void> {
  const { sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = options
  const watch = watchSignals([options.signal, call.signal], () => new RequestAbortedError({ sent: false }))
  try {
    await watch.race(sleep(ms))
  } finally {
    watch.end()
  }
}
