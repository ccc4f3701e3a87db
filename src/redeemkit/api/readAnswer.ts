import type { BaseError } from '../core/errors/baseError.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { InvalidJsonError, parseJson } from '../core/json/parseJson.ts'
import type { Clock } from '../core/time/clock.ts'
import { type RecordSchema, readRecord } from '../schema/readRecord.ts'
import type { InvalidAnswerError } from './errors.ts'
import { AnswerTextError, readText } from './readText.ts'
import type { ServiceError } from './serviceError.ts'

/**
 * Takes an HTTP answer by its schema. Where that expects nothing, an answer without a body is one, too.
 *
 * @throws the {@link ServiceError} of an error status; {@link InvalidAnswerError} for a redirect, a body that is too long
 * or no JSON, and another record than the schema's
 */
export async function readAnswer<answer>(
  response: Response,
  options: readAnswer.Options<answer>,
): Promise<answer> {
  const { status } = response
  const facts = () => ({ response, secrets: options.secrets() })
  // Who meets no error loads none of them. What cannot be loaded is as a connection that broke.
  const loadErrors = () => options.race(import('./failedAnswer.ts'))
  const invalid = async (what: string, field?: string) =>
    (await loadErrors()).invalidAnswer({ what, field }, facts())
  if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw await invalid('a redirect, which is never followed')
  const failed = status >= 400
  let text: string
  try {
    text = await readText(response, options.maxBytes, options.race)
  } catch (cause) {
    // What an error's body says is worth less than its status.
    if (failed && !options.signal.aborted) text = ''
    else throw cause instanceof AnswerTextError ? await invalid(cause.message) : cause
  }
  if (failed) throw (await loadErrors()).errorAnswer(text, { ...facts(), now: options.now })
  if (status < 200) throw await invalid('no answer')
  try {
    const answer = expectsNothing(options.schema) && text.trim() === '' ? {} : parseJson(text)
    return readRecord(options.schema, answer, { record: 'The answer' })
  } catch (cause) {
    if (cause instanceof InvalidRecordError)
      throw await invalid(`another record than it must be: ${cause.shortMessage}`, cause.field)
    throw await invalid(
      cause instanceof InvalidJsonError ? whatIs(text) : 'a JSON number that cannot be held exactly',
    )
  }
}

export declare namespace readAnswer {
  type Options<answer> = {
    schema: RecordSchema<answer>
    /** The most that is read of a body. */
    maxBytes: number
    /** Every credential that the client has by now, to be taken out of what is shown. */
    secrets: () => readonly string[]
    /** Says whether the call was given up while the body was read. */
    signal: AbortSignal
    race: <value>(promise: Promise<value>) => Promise<value>
    now: Clock
  }
  type ErrorType = ServiceError | InvalidAnswerError | BaseError
}

/** What a body is that is no JSON. */
function whatIs(text: string): string {
  if (/^\s*</.test(text)) return 'a page of markup'
  return text.trim() === '' ? 'an empty body' : 'text that is not JSON'
}

/** Whether an answer's record has no field of its own: the status has said it all (PROTOCOL.md 11.20). */
function expectsNothing({ shape }: RecordSchema<unknown>): boolean {
  return shape !== undefined && Object.keys(shape).length === 0
}
