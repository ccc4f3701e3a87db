import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type HeaderNames, headerNames } from '../../core/headerNames.ts'
import { credentialHours } from '../../core/limits.ts'
import { endpoints } from '../endpoints/endpoints.ts'
import type { Endpoint, EndpointHeader } from '../endpoints/routes.ts'
import { webhookEvent } from '../webhookEvent.ts'
import {
  type Components,
  createComponents,
  type JsonObject,
  parameterExamples,
  refTo,
  schemasIn,
} from './components.ts'
import { credentials, errorResponses, operation } from './operation.ts'

/**
 * Creates the OpenAPI 3.1 document of the protocol from the schemas that the client and the service use: every endpoint of PROTOCOL.md 2.1
 * under `/api`, and the webhooks of PROTOCOL.md 10.4.
 *
 * @param options.headerPrefix prefix of the service's headers. Default `x-svc-`
 * @param options.baseUrl URL of the service, with or without a trailing `/api`
 * @returns plain JSON
 * @throws {@link InvalidOptionError} if the prefix is not valid in a header name
 * @example
 * ```ts
 * import { openApiDocument } from 'redeemkit/schema'
 * const { paths } = openApiDocument({ baseUrl: 'https://payments.example' })
 * Object.keys(paths).includes('/api/auth/session-key') // true
 * ```
 */
export function openApiDocument(options: openApiDocument.Options = {}): openApiDocument.ReturnType {
  const { headerPrefix, baseUrl } = options
  const names = headerNames(headerPrefix)
  const table: readonly Endpoint[] = endpoints
  const components = createComponents(table)
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of table) {
    const { method, path } = endpoint
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operation(endpoint, components, (name) => headerName(name, names)),
    }
  }
  const webhooks = { event: { post: webhook(components, names) } }
  return {
    openapi: '3.1.1',
    info: {
      title: 'redeemkit payments API',
      // Constant, because paths and headers have no version (PROTOCOL.md 1.1).
      version: '1',
      description: introduction((name) => headerName(name, names)),
    },
    tags: tagsOf(paths),
    ...(baseUrl !== undefined && {
      servers: [{ url: baseUrl.replace(/\/+$/, '').replace(/\/api$/, '') || '/' }],
    }),
    paths,
    webhooks,
    components: {
      schemas: marked(components.schemas, { table, paths, others: [webhooks, errorResponses()] }),
      parameters: parameters(names, JSON.stringify(paths)),
      headers: {
        requestId: {
          description: "Identifies this response in the service's log.",
          schema: { type: 'string' },
        },
        retryAfter: { description: 'Seconds to wait.', schema: { type: 'string' } },
      },
      responses: errorResponses(),
      securitySchemes: Object.fromEntries(
        credentials.map((name) => [
          name,
          { type: 'apiKey', in: 'header', name: headerName(name, names), description: meanings[name] },
        ]),
      ),
    },
  }
}

export declare namespace openApiDocument {
  type Options = { headerPrefix?: string | undefined; baseUrl?: string | undefined }
  type ReturnType = {
    openapi: string
    info: JsonObject
    tags: { name: string; description: string }[]
    servers?: { url: string }[]
    paths: Record<string, JsonObject>
    webhooks: Record<string, JsonObject>
    components: Record<string, Record<string, JsonObject>>
  }
  type ErrorType = InvalidOptionError
}

/** Returns Markdown (PROTOCOL.md 1.2, 1.3). */
function introduction(header: (name: EndpointHeader) => string): string {
  return `Credits, checkouts, subscriptions and payouts for the customers of a merchant. Bodies are JSON. \`cents\` are whole cents; other
amounts are raw units with 6 decimals. A request with an unknown field is a 400. Every error has a \`code\`.

### Authentication

| Caller | Header | Where it comes from |
|---|---|---|
| your server | \`${header('authorization')}\` | the API key of your merchant account. Keep it on your server |
| a page, for its customer | \`${header('sessionKey')}\` | your server: \`GET /api/auth/session-key\` with the API key. Valid for ${credentialHours} hours |
| a page, for a wallet that signed in | \`${header('signedMessage')}\` | the wallet: it signs the message of \`GET /api/auth\`. Valid for ${credentialHours} hours |

\`${header('wallet')}\` and \`${header('blockchain')}\` name the customer's wallet. Redeems need nothing else, because the wallet signs
each of them. To try a call here, choose **Authorize**, paste the key, then choose **Execute** at the call.`
}

function tagsOf(paths: Readonly<Record<string, JsonObject>>): { name: string; description: string }[] {
  const used = new Set(Object.keys(paths).map((path) => path.split('/')[2] ?? ''))
  return [...used].map((name) => ({ name, description: areas[name] ?? '' }))
}

const areas: Readonly<Record<string, string>> = {
  auth: 'Sign in a wallet; get session keys for customers',
  redeem: 'Spend credits without gas: prepare, sign, submit',
  checkout: 'Sell credits and goods: card, wire, Pix, mobile app',
  tokenize: 'Card tokens, for merchants who may handle card data',
  customer: "A customer's balances, cards and purchases",
  subscription: 'Plans, and subscriptions with a saved card',
  merchant: "The merchant's payments, credits, refunds and whitelist",
  seller: "Withdraw the merchant's USDC",
  withdraw: 'Pay out to bank accounts, with KYC and KYB',
  utils: 'Networks and contracts of the service',
}

/** Description of each header (PROTOCOL.md 1.2). */
const meanings: Record<EndpointHeader, string> = {
  authorization: "The merchant's API key. For servers only: a page must never contain it.",
  sessionKey: `The session key of the customer, valid for ${credentialHours} hours. Your server gets it from \`GET /api/auth/session-key\`.`,
  wallet: "The customer's wallet.",
  blockchain: "The wallet's chain.",
  userId: "The merchant's own id for the customer.",
  merchantId: 'The merchant of the session.',
  signedMessage: "The wallet's signature of the sign-in message.",
  clientIp: "The customer's IP address.",
  deviceId: "The customer's device. Required for chargeback protection.",
}

function headerName(name: EndpointHeader, names: HeaderNames): string {
  return name === 'authorization' ? 'Authorization' : names[name]
}

/** Describes the headers that are not credentials. Each has a second entry, named `…IfAny`, for endpoints where it is optional. */
function parameters(names: HeaderNames, used: string): Record<string, JsonObject> {
  // `Object.keys` returns `string[]`.
  const headers = (Object.keys(names) as (keyof HeaderNames)[]).filter(
    (name) => !credentials.some((one) => one === name),
  )
  const all = Object.fromEntries(
    headers.flatMap((name) =>
      [true, false].map((required): [string, JsonObject] => [
        required ? name : `${name}IfAny`,
        {
          name: names[name],
          in: 'header',
          required,
          description: meanings[name],
          ...((required || name === 'wallet' || name === 'blockchain') &&
            name in parameterExamples && { example: parameterExamples[name] }),
          schema: name === 'blockchain' ? refTo('schemas', 'blockchain') : { type: 'string', minLength: 1 },
        },
      ]),
    ),
  )
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => used.includes(JSON.stringify(refTo('parameters', name)))),
  )
}

function webhook({ nameOf }: Components, names: HeaderNames): JsonObject {
  return {
    operationId: 'webhookEvent',
    summary: 'Notifies the merchant of an event at least once, always with the same id',
    security: [],
    parameters: [
      {
        name: `${names.clientIp.replace(/client-ip$/, '')}signature`,
        in: 'header',
        required: true,
        description: 't=<unix seconds>,v1=<HMAC-SHA256 of "t.body" in hex>',
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo('schemas', nameOf(webhookEvent)) } },
    },
    responses: {
      '2XX': {
        description:
          'Received. After any other response, the service sends the event again, for up to 24 hours.',
      },
    },
  }
}

/** Keeps the schemas to which the document refers, and marks those that only endpoints of PROTOCOL.md 2.11 use. */
function marked(
  schemas: Components['schemas'],
  from: { table: readonly Endpoint[]; paths: Record<string, JsonObject>; others: unknown },
): Record<string, JsonObject> {
  const { table, paths, others } = from
  const reached = (parts: unknown) => {
    const names = new Set<string>()
    const follow = (part: unknown) => {
      for (const name of schemasIn(part).filter((one) => !names.has(one))) {
        names.add(name)
        follow(schemas[name])
      }
    }
    follow(parts)
    return names
  }
  const operations = (isOfTheDocuments: boolean) =>
    table
      .filter(({ ofTheDocuments }) => ofTheDocuments === isOfTheDocuments)
      .map(({ path, method }) => paths[path]?.[method.toLowerCase()])
  const core = reached([operations(true), others, refTo('schemas', 'blockchain')])
  const all = reached([operations(true), operations(false), others, refTo('schemas', 'blockchain')])
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) =>
      all.has(name) ? [[name, core.has(name) ? schema : { ...schema, 'x-not-of-the-documents': true }]] : [],
    ),
  )
}
