import type { Clock } from '../core/clock.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { InvalidJsonError, parseJson } from '../core/parseJson.ts'
import { type RecordSchema, readRecord } from '../schema/readRecord.ts'
import { InvalidAnswerError, type ServiceError } from './errors.ts'
import { readServiceError } from './readServiceError.ts'
import { scrub } from './scrub.ts'

/** If the schema has no fields, an empty body, `true` and plain text are valid. A record such as `{ success: false }` is invalid. */
export async function readAnswer<answer>(
  response: Response,
  options: readAnswer.Options<answer>,
): Promise<answer> {
  const { status } = response
  const facts = () => ({ response, secrets: options.secrets() })
  const invalid = (what: string, field?: string) => invalidAnswer({ what, field }, facts())
  if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw invalid('a redirect, which is never followed')
  const failed = status >= 400
  let text: string
  try {
    text = await readText(response, options.maxBytes, options.race)
  } catch (cause) {
    // An error status counts, even if its body cannot be read.
    if (failed && !options.signal.aborted) text = ''
    else throw cause instanceof AnswerTextError ? invalid(cause.message) : cause
  }
  if (failed) throw errorAnswer(text, { ...facts(), now: options.now })
  if (status < 200) throw invalid('no final response')
  let record: answer
  try {
    record = readRecord(options.schema, readBody(text, options.schema), { record: 'The response' })
  } catch (cause) {
    if (cause instanceof InvalidRecordError)
      throw invalid(`an invalid record: ${cause.shortMessage}`, cause.field)
    throw invalid(
      cause instanceof InvalidJsonError ? whatIs(text) : 'a JSON number that cannot be represented exactly',
    )
  }
  if (isBare(record, options.schema) && denies(record)) throw invalid('a body that reports a failure')
  return record
}

export declare namespace readAnswer {
  type Options<answer> = {
    schema: RecordSchema<answer>
    maxBytes: number
    /** Every credential of the client so far, to remove from errors. */
    secrets: () => readonly string[]
    signal: AbortSignal
    race: <value>(promise: Promise<value>) => Promise<value>
    now: Clock
  }
}

function readBody(text: string, schema: RecordSchema<unknown>): unknown {
  if (expectsNothing(schema) && saysNothing(text)) return {}
  if (schema.isAny && text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch (error) {
    if (schema.isAny && error instanceof InvalidJsonError && saysNothing(text)) return text
    throw error
  }
}

function whatIs(text: string): string {
  if (/^\s*</.test(text)) return 'HTML or XML'
  return text.trim() === '' ? 'an empty body' : 'text that is not JSON'
}

/** Without fields, the status is the whole response (PROTOCOL.md 11.20). */
function expectsNothing({ shape }: RecordSchema<unknown>): boolean {
  return shape !== undefined && Object.keys(shape).length === 0
}

/** True for an empty body, `true` and text. Markup does not count, because it is a proxy's page. */
function saysNothing(text: string): boolean {
  const said = text.trim()
  return /^(?:|["\p{L}].*)$/su.test(said) && !/^"?(?:false|null)"?$/.test(said)
}

/** True if the record has no field of its schema, except `error`. */
function isBare(record: unknown, { shape }: RecordSchema<unknown>): boolean {
  return (
    shape !== undefined &&
    Object.keys(Object(record)).every((key) => key === 'error' || !Object.hasOwn(shape, key))
  )
}

/** Whether a body reports a failure. Some services send one with the status of a success. */
function denies(body: unknown): boolean {
  return Object.entries(Object(body)).some(([key, value]) => {
    if (/^errors?$/.test(key)) return Boolean(Array.isArray(value) ? value.length : value)
    if (key === 'status') return /^(?:error|fail(?:ed|ure)?)$/i.test(String(value))
    return /^(?:ok|success|valid|verified|authenticated)$/.test(key) && value === false
  })
}

type Facts = {
  response: Response
  secrets: readonly string[]
}

function errorAnswer(
  text: string,
  { response, secrets, ...options }: Facts & Pick<readServiceError.Options, 'now'>,
): ServiceError {
  return readServiceError(response.status, scrub(readErrorBody(text), secrets), {
    retryAfter: response.headers.get('retry-after'),
    requestId: requestIdOf({ response, secrets }),
    ...options,
  })
}

/** `what` and `field` may contain the service's text. */
function invalidAnswer(
  { what, field }: { what: string; field?: string | undefined },
  facts: Facts,
): InvalidAnswerError {
  const { status } = facts.response
  const [shown, shownField] = scrub([what.replace(/\.$/, ''), field], facts.secrets)
  return new InvalidAnswerError(`The service returned ${status} with ${shown}.`, {
    fix: 'Check that baseUrl is the URL of the service. If it is, contact its operator about this response.',
    field: shownField,
    status,
    requestId: requestIdOf(facts),
  })
}

function requestIdOf({ response, secrets }: Facts): string | undefined {
  return scrub(response.headers.get('x-request-id') ?? undefined, secrets)?.slice(0, 200)
}

/** Returns the JSON, or the visible text on one line without a stack trace: proxies send HTML, some frameworks plain text. */
function readErrorBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the patterns below are slow on a long text
    const start = text.slice(0, 4_000)
    const message = /^\s*</.test(start) ? textOfPage(start) : start
    return message
      .replace(/\s+at [^\n]*?:\d+:\d+[\s\S]*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
}

function textOfPage(page: string): string {
  const body = page.replace(/<(head|script|style)\b[\s\S]*?<\/\1>/gi, ' ')
  return seen(body).trim() === '' ? seen(page) : seen(body)
}

function seen(markup: string): string {
  return markup.replace(/<[^<>]*>?/g, ' ').replace(/&(#?\w{1,8});/g, (whole, name) => entities[name] ?? whole)
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}

/**
 * Reads a body of at most `maxBytes`. Without a stream or `content-length` (React Native), the size is checked only after reading. `race`
 * rejects to stop reading.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  race: <value>(promise: Promise<value>) => Promise<value>,
): Promise<string> {
  const reader = response.body?.getReader?.()
  if (!reader) {
    if (Number(response.headers.get('content-length')) > maxBytes) throw tooLong(maxBytes)
    const text = (await race(wholeText(response))).replace(/^\ufeff/, '')
    if (isLonger(text, maxBytes)) throw tooLong(maxBytes)
    return text
  }
  const decoder = utf8()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await race(reader.read())
      if (done) break
      bytes += value.byteLength
      if (bytes > maxBytes) throw tooLong(maxBytes)
      text += decode(decoder, value)
    }
    return text + decode(decoder)
  } catch (error) {
    // not awaited, because the stream may hang
    reader.cancel().catch(() => {})
    throw error
  }
}

/** `text` comes first: where bodies have no stream, `arrayBuffer` is often a stub. */
async function wholeText(response: Response): Promise<string> {
  // such platforms implement only part of Response
  const { text, arrayBuffer, blob, json } = response as Partial<Response>
  if (text) return text.call(response)
  if (arrayBuffer) return decode(utf8(), new Uint8Array(await arrayBuffer.call(response)))
  if (blob) return (await blob.call(response)).text()
  return (json && JSON.stringify(await json.call(response))) ?? ''
}

function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  // A UTF-16 unit takes one byte in UTF-8, two from U+0080 on, three from U+0800 on; each half of a surrogate pair takes two.
  const more = text.match(/[\u0080-\uffff]/g)?.length ?? 0
  const three = text.match(/[\u0800-\ud7ff\ue000-\uffff]/g)?.length ?? 0
  return text.length + more + three > maxBytes
}

function tooLong(maxBytes: number): AnswerTextError {
  return new AnswerTextError(`more than ${maxBytes} bytes`)
}

const utf8 = () => new TextDecoder('utf-8', { fatal: true })

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new AnswerTextError('bytes that are not UTF-8')
  }
}

/** The message continues "The service returned 200 with". */
export class AnswerTextError extends Error {}
