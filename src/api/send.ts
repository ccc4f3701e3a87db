import type * as z from 'zod/mini'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { safeCause } from '../core/errors/safeCause.ts'
import { InvalidJsonError, parseJson } from '../core/json/parseJson.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { type ClientOptions, checkCount } from './clientOptions.ts'
import type { Call } from './paymentsClient.ts'
import { isServiceError, type ServiceError, serviceError } from './serviceError.ts'
import {
  InvalidAnswerError,
  type InvalidClientOptionError,
  RequestAbortedError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  type SessionKeyError,
} from './transportErrors.ts'

/**
 * Sends a call, again where decisions, section 7 allows it, and takes the answer by its schema.
 *
 * Sent again, at most `retry.attempts` times in all:
 * - after a 429, when `retry-after` is bearable; after `INSUFFICIENT_CREDITS`: nothing was done, so the same body goes again
 * - after a 5xx or a broken connection, only a call that may be repeated; never after a timeout, which was wait enough
 * - once after a 401, with a fresh session key, when a function gives it
 */
export async function send<schema extends z.core.$ZodType>(
  call: Call<schema>,
  means: send.Means,
): Promise<z.output<schema>> {
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
        continue
      }
      if (options.retry === false || attempt >= attempts || !mayRepeat(error, call.repeatable)) throw error
      const asked = isServiceError(error) ? error.retryAfterMs : undefined
      const wait = asked ?? baseMs * 2 ** (attempt - 1) * (1 - random() / 2)
      // As a question that NaN answers with no.
      if (!(wait >= 0 && wait <= maxWaitMs)) throw error
      await pause(wait, call, options)
    }
  }
}

export declare namespace send {
  type Headers = { plain: Record<string, string>; secret: Record<string, string> }
  type Means = {
    options: ClientOptions
    url: string
    /** `fresh` asks for a new session key. */
    headers: (fresh: boolean) => Promise<Headers>
    /** Every credential that the client has, to be taken out of what is shown. */
    secrets: () => readonly string[]
    refreshable: boolean
  }
  type ErrorType =
    | ServiceError
    | ServiceUnreachableError
    | ServiceTimeoutError
    | InvalidAnswerError
    | RequestAbortedError
    | SessionKeyError
    | InvalidClientOptionError
}

function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (isServiceError(error))
    return error.remedy === 'wait' || error.remedy === 'backOff' || (repeatable && error.remedy === 'lookUp')
  return repeatable && error instanceof ServiceUnreachableError
}

async function sendOnce<schema extends z.core.$ZodType>(
  call: Call<schema>,
  means: send.Means,
  { attempt, fresh }: { attempt: number; fresh: boolean },
): Promise<z.output<schema>> {
  const { options, url } = means
  const { method, body } = call
  const { timeoutMs = options.timeoutMs ?? 30_000 } = call
  const { now = Date.now } = options
  let sent = false
  let status: number | undefined
  const watch = watchSignals([options.signal, call.signal], () => new RequestAbortedError({ sent }))
  const timer = setTimeout(
    () =>
      watch.stop(
        new ServiceTimeoutError(`The service gave no whole answer within ${timeoutMs} ms.`, {
          fix: 'Check baseUrl and the service, or give a longer timeoutMs.',
        }),
      ),
    timeoutMs,
  )
  const started = now()
  const end = (errorName?: string) => {
    if (sent) tell(options.onResponse, { method, url, attempt, ms: now() - started, status, errorName })
  }
  try {
    const { plain, secret } = await watch.race(means.headers(fresh))
    const hidden = Object.fromEntries(Object.keys(secret).map((key) => [key, '[removed]']))
    tell(options.onRequest, { method, url, headers: { ...plain, ...hidden }, attempt })
    sent = true
    const init: RequestInit = {
      method,
      headers: { ...plain, ...secret },
      // Credentials must not follow a redirect to somewhere else.
      redirect: 'manual',
      cache: 'no-store',
      signal: watch.signal,
    }
    if (body !== undefined) init.body = JSON.stringify(body)
    const fetch = options.fetch ?? globalThis.fetch
    const response = await watch.race(Promise.resolve(fetch(url, init)))
    status = response.status
    const requestId = scrub(response.headers.get('x-request-id') ?? undefined, means.secrets())
    const invalid = (what: string, more: BaseError.Options = {}) =>
      new InvalidAnswerError(`The service answered ${status} with ${what}.`, {
        fix: 'Check that baseUrl is the service, and ask its operator about this answer.',
        ...more,
        status: response.status,
        requestId,
      })
    if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      throw invalid('a redirect, which is never followed')
    const failed = status >= 400
    let text: string
    try {
      text = await readText(response, options.maxAnswerBytes ?? 2 ** 20, watch.race)
    } catch (cause) {
      if (failed && !watch.signal.aborted) text = ''
      else throw cause instanceof AnswerTextError ? invalid(cause.message) : cause
    }
    if (failed)
      throw serviceError(status, scrub(tryJson(text), means.secrets()), {
        retryAfter: response.headers.get('retry-after'),
        requestId,
        now,
      })
    if (status < 200) throw invalid('no answer')
    let answer: z.output<schema>
    try {
      answer = parseRecord(call.answer, parseJson(text), { record: 'The answer' })
    } catch (cause) {
      if (cause instanceof InvalidRecordError)
        throw invalid(
          `another record than the documents say: ${scrub(cause.shortMessage, means.secrets())}`,
          {
            field: cause.field,
          },
        )
      const kind = /^\s*</.test(text)
        ? 'a page of markup'
        : text.trim() === ''
          ? 'an empty body'
          : 'text that is not JSON'
      throw invalid(cause instanceof InvalidJsonError ? kind : 'a JSON number that cannot be held exactly')
    }
    end()
    return answer
  } catch (error) {
    const ours =
      error instanceof BaseError
        ? error
        : new ServiceUnreachableError(`No answer came from ${new URL(url).origin}.`, {
            fix: 'Check baseUrl, the network and the service.',
            cause: safeCause(error, means.secrets()),
          })
    end(ours.name)
    throw ours
  } finally {
    clearTimeout(timer)
    watch.end()
  }
}

/** One signal out of several, and a race of any promise against it: also a fetch that ignores signals is left in time. */
function watchSignals(signals: readonly (AbortSignal | undefined)[], reason: () => BaseError) {
  const controller = new AbortController()
  let lose: (error: BaseError) => void = () => {}
  const lost = new Promise<never>((_, reject) => {
    lose = reject
  })
  // Nobody may be racing at the moment.
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

/** Waits, unless a signal aborts. */
async function pause(ms: number, call: Call, options: ClientOptions): Promise<void> {
  const { sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = options
  const watch = watchSignals([options.signal, call.signal], () => new RequestAbortedError({ sent: false }))
  try {
    await watch.race(sleep(ms))
  } finally {
    watch.end()
  }
}

async function readText(
  response: Response,
  maxBytes: number,
  race: <value>(promise: Promise<value>) => Promise<value>,
): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await race(reader.read())
      if (done) break
      bytes += value.byteLength
      if (bytes > maxBytes) throw new AnswerTextError(`more than ${maxBytes} bytes`)
      text += decode(decoder, value)
    }
    return text + decode(decoder)
  } catch (error) {
    // Not awaited: a stream that hangs would hang here as well.
    reader.cancel().catch(() => {})
    throw error
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AnswerTextError('bytes that are not UTF-8')
  }
}

class AnswerTextError extends Error {}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Takes every credential out of a value that the service sent, and what is nested too deep to be meant. */
function scrub<value>(value: value, secrets: readonly string[]): value {
  const clean = (part: unknown, depth = 0): unknown => {
    if (depth > 64) return '[removed]'
    if (typeof part === 'string')
      return secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), part)
    if (Array.isArray(part)) return part.map((one) => clean(one, depth + 1))
    if (typeof part === 'object' && part !== null)
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [clean(key), clean(one, depth + 1)]))
    return part
  }
  // Texts change, types do not.
  return clean(value) as value
}

function tell<info>(hook: ((info: info) => void) | undefined, info: info): void {
  try {
    // A hook may be async in spite of its type; its rejection is as little ours as its throw.
    Promise.resolve(hook?.(info)).catch(() => {})
  } catch {}
}
