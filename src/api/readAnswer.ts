import type * as z from 'zod/mini'
import type { BaseError } from '../core/errors/baseError.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { InvalidJsonError, parseJson } from '../core/json/parseJson.ts'
import type { Clock } from '../core/time/clock.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { InvalidAnswerError } from './errors.ts'
import { readErrorBody } from './readErrorBody.ts'
import { AnswerTextError, readText } from './readText.ts'
import { scrub } from './scrub.ts'
import { type ServiceError, serviceError } from './serviceError.ts'

/**
 * Takes an HTTP answer by its schema. Where that expects nothing, an answer without a body is one, too.
 *
 * @throws the {@link ServiceError} of an error status; {@link InvalidAnswerError} for a redirect, a body that is too long
 * or no JSON, and another record than the schema's
 */
export async function readAnswer<schema extends z.core.$ZodType>(
  response: Response,
  options: readAnswer.Options<schema>,
): Promise<z.output<schema>> {
  const { secrets } = options
  const { status } = response
  const requestId = scrub(response.headers.get('x-request-id') ?? undefined, secrets())?.slice(0, 200)
  const invalid = (what: string, field?: string) =>
    new InvalidAnswerError(`The service answered ${status} with ${what}.`, {
      fix: 'Check that baseUrl is the address of the service; if it is, ask its operator about this answer.',
      field,
      status,
      requestId,
    })
  if (response.redirected || response.type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw invalid('a redirect, which is never followed')
  const failed = status >= 400
  let text: string
  try {
    text = await readText(response, options.maxBytes, options.race)
  } catch (cause) {
    // What an error's body says is worth less than its status.
    if (failed && !options.signal.aborted) text = ''
    else throw cause instanceof AnswerTextError ? invalid(cause.message) : cause
  }
  if (failed) {
    const retryAfter = response.headers.get('retry-after')
    throw serviceError(status, scrub(readErrorBody(text), secrets()), {
      retryAfter,
      requestId,
      now: options.now,
    })
  }
  if (status < 200) throw invalid('no answer')
  try {
    const answer = expectsNothing(options.schema) && text.trim() === '' ? {} : parseJson(text)
    return parseRecord(options.schema, answer, { record: 'The answer' })
  } catch (cause) {
    if (cause instanceof InvalidRecordError) {
      const [what = '', field] = scrub([cause.shortMessage, cause.field], secrets())
      throw invalid(`another record than it must be: ${what}`, field)
    }
    throw invalid(
      cause instanceof InvalidJsonError ? whatIs(text) : 'a JSON number that cannot be held exactly',
    )
  }
}

export declare namespace readAnswer {
  type Options<schema> = {
    schema: schema
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
function expectsNothing({ _zod: { def } }: z.core.$ZodType): boolean {
  return 'shape' in def && Object.keys(Object(def.shape)).length === 0
}
