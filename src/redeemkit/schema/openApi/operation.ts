import { wireErrors } from '../../core/errors/wireErrors.ts'
import type { Endpoint, EndpointHeader } from '../endpoints/routes.ts'
import { type Components, examples, type JsonObject, parameterExamples, refTo } from './components.ts'

const details: Record<number, JsonObject> = {
  412: {
    description: 'For CHALLENGE_REQUIRED the challenge; otherwise details of the code.',
    anyOf: [refTo('schemas', 'challengeDetails'), {}],
  },
  451: refTo('schemas', 'verificationDetails'),
}

/** One response for each error status (PROTOCOL.md 7.2), with a name such as `error412`. */
export function errorResponses(): Record<string, JsonObject> {
  const statuses = [...new Set(Object.values(wireErrors).map(({ status }) => status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const rows = Object.entries(wireErrors).filter(([, row]) => row.status === status)
      const codes = rows.map(([code]) => code)
      const [[code, { name }]] = rows as [(typeof rows)[number]] // every status has a row
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
              example: { name, code, message: 'A sentence for developers.', requestId: 'req-1' },
            },
          },
        },
      ]
    }),
  )
}

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

/** Headers with credentials. The document describes all other headers as parameters. */
export const credentials = [
  'authorization',
  'sessionKey',
  'signedMessage',
] as const satisfies EndpointHeader[]

export function operation(
  endpoint: Endpoint,
  { schemas, nameOf }: Components,
  headerName: (name: EndpointHeader) => string,
): JsonObject {
  const { id, path, body, query, answer, ofTheDocuments, summary } = endpoint
  const [, , area = ''] = path.split('/')
  return {
    operationId: id,
    summary,
    tags: [area],
    ...(!ofTheDocuments && { 'x-not-of-the-documents': true }),
    ...rulesOf(endpoint, headerName),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
        name,
        in: 'path',
        required: true,
        example: parameterExamples[name],
        schema: { type: 'string', minLength: 1 },
      })),
      ...(query ? queryParameters(schemas[nameOf(query)]) : []),
      ...headerParameters(endpoint),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: refTo('schemas', nameOf(body)), example: examples[id] },
        },
      },
    }),
    responses: {
      200: {
        description: 'OK',
        headers: { 'x-request-id': refTo('headers', 'requestId') },
        content: { 'application/json': { schema: refTo('schemas', nameOf(answer)) } },
      },
      ...errorsOf(endpoint),
    },
  }
}

function queryParameters(schema: JsonObject | undefined): JsonObject[] {
  const { properties, required } = Object(schema)
  return Object.entries(Object(properties)).map(([name, one]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema: one,
  }))
}

/** Refers to the headers of an endpoint. A required header and an optional one are separate components. */
function headerParameters({ headers }: Endpoint): JsonObject[] {
  const isParameter = (name: EndpointHeader) => !credentials.some((one) => one === name)
  return [
    ...headers.required.filter(isParameter).map((name) => refTo('parameters', name)),
    ...headers.optional.filter(isParameter).map((name) => refTo('parameters', `${name}IfAny`)),
  ]
}

function rulesOf({ headers }: Endpoint, headerName: (name: EndpointHeader) => string): JsonObject {
  const must = credentials.filter((name) => headers.required.includes(name))
  const may = credentials.filter((name) => headers.optional.includes(name))
  const security = [must, ...may.map((name) => [...must, name])].map((names) =>
    Object.fromEntries(names.map((name) => [name, []])),
  )
  const groups = headers.oneOf?.map((group) => group.map(headerName).join(' with ')).join(', or ')
  return { security, ...(groups !== undefined && { description: `Also requires ${groups}, or both.` }) }
}
