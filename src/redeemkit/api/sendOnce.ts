import { BaseError } from '../core/errors/baseError.ts'
import { readForeign } from '../core/errors/safeCause.ts'
import type { ClientOptions } from './clientOptions.ts'
import { RequestAbortedError, ServiceTimeoutError, ServiceUnreachableError } from './errors.ts'
import type { Call } from './paymentsClient.ts'
import { readAnswer } from './readAnswer.ts'

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

/** A `fetch` that ignores signals must not delay the end of a call, so promises are raced against the signals. */
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
