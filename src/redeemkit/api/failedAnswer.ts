import { InvalidAnswerError } from './errors.ts'
import { readServiceError } from './readServiceError.ts'
import { scrub } from './scrub.ts'
import type { ServiceError } from './serviceError.ts'

type Facts = {
  response: Response
  /** Every credential of the client so far, to remove from the error. */
  secrets: readonly string[]
}

/** Creates the error of an answer with an error status. */
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

/** Creates the error of an invalid answer; `what` and `field` may quote the service. */
export function invalidAnswer(
  { what, field }: { what: string; field?: string | undefined },
  facts: Facts,
): InvalidAnswerError {
  const { status } = facts.response
  const [shown, shownField] = scrub([what.replace(/\.$/, ''), field], facts.secrets)
  return new InvalidAnswerError(`The service answered ${status} with ${shown}.`, {
    fix: 'Check that baseUrl is the URL of the service. If it is, contact its operator about this answer.',
    field: shownField,
    status,
    requestId: requestIdOf(facts),
  })
}

function requestIdOf({ response, secrets }: Facts): string | undefined {
  return scrub(response.headers.get('x-request-id') ?? undefined, secrets)?.slice(0, 200)
}

/**
 * Reads the body of an error answer: its JSON, or the visible text on one line without a stack trace. Proxies answer with HTML,
 * frameworks with text.
 */
export function readErrorBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // bounded, to keep the patterns below fast
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
