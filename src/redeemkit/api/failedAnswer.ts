import { InvalidAnswerError } from './errors.ts'
import { readErrorBody } from './readErrorBody.ts'
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
