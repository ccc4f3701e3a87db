import { BaseError } from '../core/errors/baseError.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { readForeign } from '../core/errors/safeCause.ts'
import { type ClientOptions, checkCount } from './clientOptions.ts'
import {
  type InvalidAnswerError,
  isServiceError,
  RequestAbortedError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  type SessionKeyError,
} from './errors.ts'
import type { Call } from './paymentsClient.ts'
import { readAnswer } from './readAnswer.ts'

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

/** True if the service did nothing, and asks the client to wait or to add credits. */
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

export async function sendOnce<answer>(
  call: Call<answer>,
  means: sendOnce.Means,
  { attempt, fresh }: { attempt: number; fresh: boolean },
): Promise<answer> {
  const { options, url } = means
  const { method, body } = call
  const { timeoutMs = options.timeoutMs ?? 30_000 } = call
  const { now = Date.now, fetch = globalThis.fetch } = options
  let sent = false
  let status: number | undefined
  const watch = watchSignals([options.signal, call.signal], () => new RequestAbortedError({ sent }))
  const timer = setTimeout(() => {
    // otherwise the next call would wait for the same session key, which may never come
    if (!sent) means.forgetKey?.()
    watch.stop(timedOut(timeoutMs))
  }, timeoutMs)
  const started = now()
  const end = (errorName?: string) => {
    if (sent) tell(options.onResponse, { method, url, attempt, ms: now() - started, status, errorName })
  }
  try {
    const { plain, secret } = await watch.race(means.headers(fresh))
    const hidden = Object.fromEntries(Object.keys(secret).map((key) => [key, '[removed]']))
    tell(options.onRequest, { method, url, headers: { ...plain, ...hidden }, attempt })
    sent = true
    call.onSend?.()
    const init: RequestInit = {
      method,
      headers: { ...plain, ...secret },
      // credentials must not follow a redirect
      redirect: 'manual',
      signal: watch.signal,
    }
    // Older Workers throw for `cache`, and React Native adds a parameter to the URL.
    if ('cache' in Object(globalThis.Request?.prototype)) init.cache = 'no-store'
    if (body !== undefined) init.body = JSON.stringify(body)
    const response = await watch.race(Promise.resolve(fetch(url, init)))
    status = response.status
    const answer = await readAnswer(response, {
      schema: call.answer,
      maxBytes: options.maxAnswerBytes ?? 1_048_576,
      secrets: means.secrets,
      signal: watch.signal,
      race: watch.race,
      now,
    })
    end()
    return answer
  } catch (error) {
    const ours = error instanceof BaseError ? error : unreachable(url, error)
    end(ours.name)
    throw ours
  } finally {
    clearTimeout(timer)
    watch.end()
  }
}

export declare namespace sendOnce {
  type Headers = { plain: Record<string, string>; secret: Record<string, string> }
  type Means = {
    options: ClientOptions
    url: string
    headers: (fresh: boolean) => Promise<Headers>
    secrets: () => readonly string[]
    refreshable: boolean
    /** Makes the next call fetch a new session key. */
    forgetKey?: (() => void) | undefined
  }
}

function timedOut(timeoutMs: number): ServiceTimeoutError {
  return new ServiceTimeoutError(`The service did not respond completely within ${timeoutMs} ms.`, {
    fix: 'Make the same call again, with a longer timeoutMs if needed; check baseUrl and the service.',
  })
}

function unreachable(url: string, cause: unknown): ServiceUnreachableError {
  const { code } = readForeign(cause) ?? {}
  const why = code === undefined ? '' : ` (${code})`
  return new ServiceUnreachableError(`No response from ${new URL(url).origin}${why}.`, {
    fix: 'Check baseUrl, the network and the service, then make the same call again.',
    cause,
  })
}

function tell<info>(hook: ((info: info) => void) | undefined, info: info): void {
  try {
    // a hook may be async despite its type
    Promise.resolve(hook?.(info)).catch(() => {})
  } catch {
    // A failing hook must not fail the request.
  }
}

/** Races promises against signals, because a `fetch` that ignores signals must not delay the end of a call. */
export function watchSignals(signals: readonly (AbortSignal | undefined)[], reason: () => Error) {
  const controller = new AbortController()
  let lose: (error: Error) => void = () => {}
  const lost = new Promise<never>((_, reject) => {
    lose = reject
  })
  // Without a race, nothing else handles the rejection.
  lost.catch(() => {})
  const stop = (error: Error) => {
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
