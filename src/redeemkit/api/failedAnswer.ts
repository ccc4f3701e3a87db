import { InvalidAnswerError } from './errors.ts'
import { readServiceError } from './readServiceError.ts'
import { scrub } from './scrub.ts'
import type { ServiceError } from './serviceError.ts'

// The errors of answers: loaded when there is one, because most pages never meet any.

type Facts = {
  response: Response
  /** Every credential that the client has by now, to be taken out of what is shown. */
  secrets: readonly string[]
}

/** The error of an answer with an error status. */
export function errorAnswer(
  text: string,
  { response, secrets, ...options }: Facts & Pick<readServiceError.Options, 'now'>,
): ServiceError {
  return readServiceError(response.status, scrub(readErrorBody(text), secrets), {
    retryAfter: response.headers.get('retry-after'),
    requestId: requestIdOf({ response, secrets }),
    ...options,
  })
}

/** The error of an answer that is not what it must be; `what` and `field` may repeat what the service said. */
export function invalidAnswer(
  { what, field }: { what: string; field?: string | undefined },
  facts: Facts,
): InvalidAnswerError {
  const { status } = facts.response
  const [shown, shownField] = scrub([what, field], facts.secrets)
  return new InvalidAnswerError(`The service answered ${status} with ${shown}.`, {
    fix: 'Check that baseUrl is the address of the service; if it is, ask its operator about this answer.',
    field: shownField,
    status,
    requestId: requestIdOf(facts),
  })
}

function requestIdOf({ response, secrets }: Facts): string | undefined {
  return scrub(response.headers.get('x-request-id') ?? undefined, secrets)?.slice(0, 200)
}

/**
 * What the body of an error answer holds: its JSON, or else the words that a reader of the text or page would see, on one
 * line and without a stack. Proxies answer with pages, frameworks with text.
 */
export function readErrorBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Enough for words, and little enough for the patterns below.
    const start = text.slice(0, 4_000)
    const words = /^\s*</.test(start) ? wordsOfPage(start) : start
    return words
      .replace(/\s+at [^\n]*?:\d+:\d+[\s\S]*$/, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
}

function wordsOfPage(page: string): string {
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
