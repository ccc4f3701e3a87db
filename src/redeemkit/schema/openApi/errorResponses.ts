import { wireErrors } from '../../core/errors/wireErrors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { type JsonObject, refTo } from './json.ts'

const details: Record<number, JsonObject> = {
  412: {
    description: 'Of CHALLENGE_REQUIRED the challenge; else what belongs to the code.',
    anyOf: [refTo('schemas', 'challengeDetails'), {}],
  },
  451: refTo('schemas', 'verificationDetails'),
}

/** One response for each status that an error has (PROTOCOL.md 7.2), named `error412`. */
export function errorResponses(): Record<string, JsonObject> {
  const statuses = [...new Set(Object.values(wireErrors).map(({ status }) => status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(wireErrors).flatMap(([code, row]) => (row.status === status ? [code] : []))
      const properties = { code: { enum: codes }, ...(details[status] && { details: details[status] }) }
      return [
        `error${status}`,
        {
          description: codes.join(', '),
          headers: {
            'x-request-id': refTo('headers', 'requestId'),
            ...(status === 429 && { 'retry-after': refTo('headers', 'retryAfter') }),
          },
          content: {
            'application/json': {
              schema: { allOf: [refTo('schemas', 'errorBody'), { type: 'object', properties }] },
            },
          },
        },
      ]
    }),
  )
}

/** The errors that a call may answer with: those that every call has, those of its records, and its own. */
export function errorsOf({ body, query, path, headers, errors = [] }: Endpoint): Record<string, JsonObject> {
  const { length } = [...headers.required, ...headers.optional]
  const statuses = [
    ...(body || query || length > 0 ? [400] : []),
    ...(length > 0 ? [401, 403] : []),
    ...(path.includes('{') ? [404] : []),
    ...(body ? [413, 415] : []),
    ...errors,
    429,
    500,
    503,
  ]
  return Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, refTo('responses', `error${status}`)]),
  )
}
