import { defaultHeaderPrefix } from '../../src/redeemkit/core/headerNames.ts'
import { openApiDocument } from '../../src/redeemkit/schema/openApi/openApiDocument.ts'

type Json = Record<string, unknown>
type Schema = Json & {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  pattern?: string
  description?: string
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; description?: string }
type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  security: Json[]
  parameters: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema; example?: unknown } } }
  responses: Record<string, { $ref?: string; content?: { 'application/json': { schema: Schema } } }>
}

const document = openApiDocument()
const { schemas, parameters, responses } = document.components as unknown as {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  responses: Record<string, { description: string }>
}

/** The page of every call of the service and every record, from its OpenAPI document. */
export function httpPage(): string {
  const areas = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods as Record<string, Operation>)) {
      const text = call(`${method.toUpperCase()} ${path}`, operation)
      areas.set(operation.tags[0], [...(areas.get(operation.tags[0]) ?? []), text])
    }
  const calls = [...areas].map(([area, texts]) => `## ${area}\n\n${texts.join('\n')}`)
  const records = Object.entries(schemas).map(([name, schema]) => `### ${name}\n\n${shape(schema)}\n`)
  const errors = Object.entries(responses).map(
    ([name, { description }]) => `| ${name.replace('error', '')} | ${description} |`,
  )
  return `${head}${errors.join('\n')}\n\n${calls.join('\n')}\n## Records\n\n${records.join('\n')}`
}

const head = `# HTTP API

Every call of the service, generated from the OpenAPI 3.1 document that \`openApiDocument()\` of \`redeemkit/schema\` returns. The client, the sandbox and the mock
use the same schemas. A running sandbox serves this reference with "try it out" at \`/reference\`.

Header names have the prefix \`${defaultHeaderPrefix}\` unless the service uses another one. Bodies are JSON. The service returns a 400 for an unknown field.
PROTOCOL.md 1.3 explains the credentials.

| Error | Codes |
|---|---|
`

function call(title: string, operation: Operation): string {
  const { operationId, summary, description, security, requestBody } = operation
  const secrets = security.map((one) => Object.keys(one).join(' and ') || 'none').join(', or ')
  const rows = operation.parameters.map((one) => {
    const { name, in: place, required } = resolve(one)
    return `| \`${name}\` | ${place} | ${required === true ? 'yes' : 'no'} |`
  })
  const body = requestBody?.content['application/json']
  const errors = Object.keys(operation.responses).filter((status) => status !== '200')
  return [
    `### ${operationId}`,
    '',
    `\`${title}\``,
    '',
    `${summary}.${description === undefined ? '' : ` ${description}`} Credentials: ${secrets}.`,
    '',
    ...(rows.length > 0 ? ['| Parameter | In | Required |', '|---|---|---|', ...rows, ''] : []),
    ...(body === undefined ? [] : [`**Body:** ${typeText(body.schema)}`, '']),
    ...(body?.example === undefined ? [] : ['```json', JSON.stringify(body.example, null, 2), '```', '']),
    `**Response:** ${typeText(operation.responses[200]?.content?.['application/json'].schema ?? {})}`,
    '',
    `**Errors:** ${errors.join(', ')}`,
    '',
  ].join('\n')
}

function resolve(parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1)
  return name === undefined ? parameter : (parameters[name] ?? parameter)
}

/** A record's fields as a table, or its type in words. */
function shape(schema: Schema): string {
  const about = schema.description === undefined ? '' : `${cell(schema.description)}\n\n`
  if (schema.properties === undefined) return `${about}${typeText(schema)}`
  const rows = Object.entries(schema.properties).map(
    ([name, one]) =>
      `| \`${name}\` | ${schema.required?.includes(name) ? 'yes' : 'no'} | ${typeText(one)} | ${cell(one.description ?? '')} |`,
  )
  return `${about}| Field | Required | Type | |\n|---|---|---|---|\n${rows.join('\n')}`
}

function typeText(schema: Schema): string {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return `[${name}](#${name.toLowerCase()})`
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return options.map(typeText).join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeText).join(' with ')
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  const type = [schema.type ?? 'any value'].flat().join(' or ')
  return schema.pattern === undefined ? type : `${type} matching \`${cell(schema.pattern)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
