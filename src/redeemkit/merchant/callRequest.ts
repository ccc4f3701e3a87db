import { checkBlockchain, checkHeader, checkWallet } from '../api/clientOptions.ts'
import type { SessionKeySource } from '../api/readSessionKey.ts'
import { isPathPart } from '../api/routeTo.ts'
import type { Blockchain } from '../core/blockchains.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { HeaderNames } from '../core/headerNames.ts'
import type { Endpoint, EndpointHeader } from '../schema/endpoints/routes.ts'
import { parseRecord } from '../schema/parseRecord.ts'

type EndpointRules = Pick<Endpoint, 'id' | 'path' | 'headers' | 'body' | 'query'>

export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Whether a path parameter defaults to the client's merchant. */
export function isMerchantParameter(name: string): boolean {
  return name === 'merchantId' || name === 'merchantIdOrCreditSeed'
}

/**
 * Fills in the path of a call and adds its query.
 *
 * @throws {@link InvalidOptionError} for a missing or invalid path parameter; InvalidRecordError for the query
 */
export function callPath(
  endpoint: EndpointRules,
  options: Readonly<Record<string, unknown>>,
  merchantId: string,
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = options[name] ?? (isMerchantParameter(name) ? merchantId : undefined)
    const text = Number.isSafeInteger(value) ? String(value) : value
    if (text === undefined)
      throw new InvalidOptionError(`${endpoint.id} needs ${name}.`, {
        field: name,
        fix: `Pass \`${name}\`: it is part of the path of this call.`,
      })
    if (!isPathPart(text))
      throw new InvalidOptionError(`${name} cannot be used.`, {
        field: name,
        fix: 'Pass text that is not empty and has no part "." or ".." between slashes.',
      })
    return encodeURIComponent(text)
  })
  if (endpoint.query === undefined) return path
  const record = parseRecord(endpoint.query, options.query ?? {}, {
    record: `The query of ${endpoint.id}`,
    field: 'query',
  })
  const fields = Object.entries(Object(record)).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Whether a value is a usable secret. `String(process.env.NAME)` of an unset variable is "undefined", which anyone can guess. */
export function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !/^\s*(?:bearer\s*)?(?:undefined|null)?\s*$/i.test(value)
}

/** Text may contain a shorter key by chance. */
const shortest = 8

/** Whether text contains the API key, with or without the `Bearer` prefix, plain or JSON-escaped. */
export function holdsKey(text: string, apiKey: string): boolean {
  const key = apiKey.replace(/^bearer\s+/i, '')
  return key.length >= shortest && [key, JSON.stringify(key).slice(1, -1)].some((form) => text.includes(form))
}

/**
 * Returns the headers that the endpoint table lists (PROTOCOL.md 1.2 and 2.1), with credentials in a separate object. A session key that
 * is a function is called later.
 *
 * @throws {@link InvalidOptionError} naming the first field that is missing or does not fit in a header
 */
export function callHeaders(
  endpoint: EndpointRules,
  options: Readonly<Record<string, unknown>>,
  means: { names: HeaderNames; apiKey: string; merchantId: string },
): CallHeaders {
  const { names, apiKey, merchantId } = means
  const values: Given = { merchantId, ...withoutUndefined(options) }
  checkRules(endpoint, values)
  const { wallet, blockchain, sessionKey } = values
  if (wallet !== undefined && blockchain !== undefined) {
    checkBlockchain(blockchain as Blockchain)
    checkWallet(wallet as string, blockchain as Blockchain)
  }
  const plain: Record<string, string> = { accept: 'application/json' }
  const secret: Record<string, string> = {}
  if (endpoint.body !== undefined) plain['content-type'] = 'application/json'
  for (const key of headersOf(endpoint)) {
    const value = key === 'authorization' ? apiKey : values[key]
    if (value === undefined || typeof value === 'function') continue
    checkHeader(value, key)
    const name = key === 'authorization' ? key : names[key]
    // checked above
    if (secrets.has(key)) secret[name] = value as string
    else plain[name] = value as string
  }
  return {
    plain,
    secret,
    // the check above ensures text or a function
    sessionKey: sessionKey as SessionKeySource | undefined,
  }
}

export type CallHeaders = {
  plain: Record<string, string>
  secret: Record<string, string>
  sessionKey: SessionKeySource | undefined
}

type Given = Readonly<Record<string, unknown>>

const secrets: ReadonlySet<EndpointHeader> = new Set(['authorization', 'sessionKey', 'signedMessage'])

export function headersOf({ headers }: Pick<Endpoint, 'headers'>): EndpointHeader[] {
  return [...headers.required, ...headers.optional]
}

const fixes: Readonly<Record<EndpointHeader, string>> = {
  authorization: 'Pass `apiKey` to createMerchantClient.',
  merchantId: 'Pass `merchantId` to createMerchantClient.',
  sessionKey: "Pass the customer's session key, from `getSessionKey`.",
  wallet: "Pass the customer's wallet and its blockchain.",
  blockchain: "Pass the blockchain of the customer's wallet.",
  userId: 'Pass your own id for the customer.',
  signedMessage: "Pass the signature of the customer's sign-in.",
  clientIp: "Pass the customer's IP address.",
  deviceId: "Pass the id of the customer's device.",
}

function checkRules({ id, headers }: EndpointRules, values: Given): void {
  const isMissing = (key: EndpointHeader) => key !== 'authorization' && values[key] === undefined
  const needs = (what: string, field: EndpointHeader) =>
    new InvalidOptionError(`${id} needs ${what}.`, { field, fix: fixes[field], source: 'PROTOCOL.md 2.1' })
  for (const key of headers.required) if (isMissing(key)) throw needs(key, key)
  for (const [one, other] of [
    ['wallet', 'blockchain'],
    ['blockchain', 'wallet'],
  ] as const)
    if (!isMissing(one) && isMissing(other)) throw needs(`${other} with ${one}`, other)
  const groups = headers.oneOf ?? []
  const [[first] = []] = groups
  if (first !== undefined && groups.every((group) => group.some(isMissing)))
    throw needs(groups.map((group) => group.join(' and ')).join(', or '), first)
}

function withoutUndefined(options: Given): Given {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
