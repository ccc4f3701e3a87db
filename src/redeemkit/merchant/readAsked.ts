import { checkoutRecord } from '../api/checkoutRecord.ts'
import { checkBlockchain, checkHeader, checkWallet } from '../api/clientOptions.ts'
import { AnswerTextError, readText } from '../api/readAnswer.ts'
import { isPathPart } from '../api/routeTo.ts'
import type { Blockchain } from '../core/blockchains.ts'
import { InvalidOptionError, InvalidRecordError } from '../core/errors/inputErrors.ts'
import { InvalidJsonError, parseJson, UnsafeJsonNumberError } from '../core/parseJson.ts'
import type { Endpoint } from '../schema/endpoints/routes.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import { isMerchantParameter, pathParameters } from './callRequest.ts'
import type { OneCall } from './callService.ts'
import { Refusal } from './errorAnswer.ts'

/** The content of a request, before the call's schemas check it. */
export type Said = {
  /** Fields of the URL's query, which include the path parameters. */
  params: Readonly<Record<string, string>>
  /** The JSON object of a POST. */
  body: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads the parameters and the body of a request, before the schemas of the call check them.
 *
 * @throws {@link Refusal} with a 400, 413 or 415
 */
export async function readSaid(request: Request, maxBodyBytes: number): Promise<Said> {
  const entries = [...new URL(request.url).searchParams]
  const names = entries.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new Refusal('INVALID_REQUEST', 'A parameter appears twice.', { issues: [shown(twice)] })
  const params = Object.fromEntries(entries)
  return { params, body: request.method === 'POST' ? await readJson(request, maxBodyBytes) : undefined }
}

/**
 * Checks the content of a request with the schemas of the call, and returns the options for the call.
 *
 * @throws {@link Refusal} with a 400 that names the fields, or a 403 for a body that names a different merchant or user
 */
export function takeAsked(
  { endpoint, policy }: OneCall,
  { params, body }: Said,
  who: { merchantId: string; user: MerchantUser },
): Record<string, unknown> {
  const names = pathParameters(endpoint.path).filter((name) => !isMerchantParameter(name))
  const asked: Record<string, unknown> = {}
  for (const name of names) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined || value === '')
      throw new Refusal('INVALID_REQUEST', `Parameter ${name} is missing.`, { issues: [name] })
    if (!isPathPart(value))
      throw new Refusal('INVALID_REQUEST', `Parameter ${name} cannot be used.`, { issues: [name] })
    asked[name] = value
  }
  const rest = Object.entries(params).filter(([name]) => !names.includes(name))
  const [[unknown] = []] = endpoint.query === undefined ? rest : []
  if (unknown !== undefined)
    throw new Refusal('INVALID_REQUEST', 'This call has no such parameter.', { issues: [shown(unknown)] })
  if (endpoint.query !== undefined) asked.query = take(endpoint.query, Object.fromEntries(rest))
  if (endpoint.body !== undefined) {
    checkNames(body ?? {}, who)
    const named = policy.namesMerchant ? { ...body, merchantId: who.merchantId } : { ...body }
    asked.body = take(endpoint.body, named, policy.body)
  }
  return asked
}

function checkNames(
  body: Readonly<Record<string, unknown>>,
  { merchantId, user }: { merchantId: string; user: MerchantUser },
): void {
  const own: Readonly<Record<string, string | undefined>> = { ...user, merchantId }
  for (const name of ['merchantId', 'userId', 'wallet', 'blockchain'] as const) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value !== undefined && !isSame(value, own[name]))
      throw new Refusal('FORBIDDEN', `${name} differs from the session's.`, { issues: [name] })
  }
}

/** EVM addresses are case-insensitive. */
function isSame(value: unknown, own: string | undefined): boolean {
  const plain = (text: unknown) =>
    typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text) ? text.toLowerCase() : text
  return own !== undefined && plain(value) === plain(own)
}

function take(
  schema: NonNullable<Endpoint['body']>,
  value: unknown,
  kind?: OneCall['policy']['body'],
): unknown {
  try {
    return kind === 'checkout' ? checkoutRecord(schema, value, 'the call').body : parseRecord(schema, value)
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error
    // the error about a card number in place of a token has a field, but no issues
    const issues = error.issues.length > 0 ? error.issues.map(({ path }) => path) : [error.field ?? '']
    // values are not shown: they may be card data
    throw new Refusal(
      'INVALID_REQUEST',
      `The request is invalid: ${issues[0] || 'the body'} cannot be used.`,
      { issues },
    )
  }
}

async function readJson(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type))
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The content-type must be application/json.', {
      issues: ['content-type'],
    })
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity')
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed.', {
      issues: ['content-encoding'],
    })
  const alreadyRead = () =>
    new InvalidOptionError("The request's body was already read.", {
      field: 'request',
      fix: 'Read a copy (request.clone()) in authenticate, and run no body parser before the handler.',
    })
  if (request.bodyUsed) throw alreadyRead()
  let body: unknown
  try {
    // a Response, so that `readText` can read it
    const text = await readText(new Response(request.body), maxBytes, (promise) => promise)
    // after a body parser of a Node framework, the stream is empty
    if (text === '' && Number(request.headers.get('content-length')) > 0) throw alreadyRead()
    body = parseJson(text)
  } catch (error) {
    if (error instanceof AnswerTextError && error.message.startsWith('more'))
      throw new Refusal('PAYLOAD_TOO_LARGE', `The body must not exceed ${maxBytes} bytes.`)
    if (error instanceof UnsafeJsonNumberError)
      throw new Refusal('INVALID_REQUEST', 'The body contains a number that cannot be represented exactly.')
    if (error instanceof AnswerTextError || error instanceof InvalidJsonError)
      throw new Refusal('INVALID_REQUEST', 'The body is not JSON.')
    throw error
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new Refusal('INVALID_REQUEST', 'The body must be an object.')
}

/** Returns a field name that is safe to repeat, otherwise `query`. */
function shown(name: string): string {
  return /^[A-Za-z_]\w{0,39}$/.test(name) ? name : 'query'
}

/** The user of the merchant's session: your user id, their wallet with its blockchain, or both. */
export type MerchantUser =
  | { userId: string; wallet?: undefined; blockchain?: undefined }
  | { userId?: string | undefined; wallet: string; blockchain: Blockchain }

/**
 * Checks the user that `authenticate` returned.
 *
 * @throws {@link InvalidOptionError} for a result that names no user
 */
export function readUser(found: unknown): MerchantUser {
  const { userId, wallet, blockchain } = Object(found)
  const isNamed =
    userId === undefined
      ? wallet !== undefined
      : typeof userId === 'string' && /\S/.test(userId) && userId.length <= 256
  if (!isNamed || (wallet === undefined) !== (blockchain === undefined))
    throw new InvalidOptionError('authenticate returned no user.', {
      field: 'authenticate',
      fix: 'Return { userId }, { wallet, blockchain }, or both; return null if not logged in.',
    })
  checkHeader(userId, 'userId')
  if (wallet === undefined) return { userId }
  checkBlockchain(blockchain)
  checkWallet(wallet, blockchain)
  return { userId, wallet, blockchain }
}
