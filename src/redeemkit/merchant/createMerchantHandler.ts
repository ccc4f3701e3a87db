import { checkCount, isHeaderText } from '../api/clientOptions.ts'
import { isServiceError } from '../api/serviceError.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headersOf, holdsKey } from './client/callRequest.ts'
import { CallOutcomeUnknownError, type Means } from './client/callService.ts'
import type { EndpointId } from './client/calls.ts'
import { type MerchantClient, meansOf } from './createMerchantClient.ts'
import { checkOrigin, corsHeaders, preflightAnswer, readOrigins } from './handler/checkOrigin.ts'
import { errorAnswer, Refusal, toResponse } from './handler/errorAnswer.ts'
import { type Exposed, type ExposedCall, exposedCalls } from './handler/exposedCalls.ts'
import { type MerchantUser, readSaid, readUser, takeAsked } from './handler/readAsked.ts'
import { createSessionKeys, type SessionKeys } from './handler/sessionKeys.ts'

/**
 * Makes a fetch handler that exposes chosen calls of a merchant's client to the merchant's own front end, under the merchant's own user
 * session (PROTOCOL.md 1.6). Fits Hono, Next, workers and every other server of `Request` and `Response`; Express and `node:http` by an
 * adapter.
 *
 * A call is asked for by the last part of the path, which is its name: `GET …/getSessionKey`, `POST …/createCheckoutJwt`, by the method
 * that the call itself has. Parameters of its path and query stand in the query, its body in the body. Nothing is exposed that is not
 * named. User id, wallet, session key and merchant are the server's to say, never the browser's.
 *
 * @param options.authenticate who asks, by your own session: a user id, a wallet, or both; `null` when nobody is logged in
 * @param options.expose for each exposed call `true`, or a function that says what is asked of it for this user. Calls that act
 * for the merchant as a whole, such as refunds, need the function
 * @param options.allowedOrigins pages of other origins that may ask, as "https://shop.example", with their cookies. Default: pages of the
 * handler's own origin only
 * @param options.clientIp the customer's IP address, where a call passes it on: only your server knows which proxy to believe
 * @param options.onError told of what the browser is not told: failures of your functions, of the API key, of the network
 * @throws {@link InvalidOptionError} for an option that cannot be used, naming it
 * @example
 * ```ts
 * import { createMerchantClient, createMerchantHandler } from 'redeemkit/merchant'
 * declare const userOf: (request: Request) => Promise<{ id: string } | undefined> // by your own session
 * declare const orderOf: (cart: unknown) => Promise<{ purchaseId: string; subtotal: { cents: number } }>
 * const client = createMerchantClient({
 *   baseUrl: 'https://service.example',
 *   apiKey: process.env.SERVICE_API_KEY ?? '',
 *   merchantId: 'shop',
 * })
 * const handler = createMerchantHandler({
 *   client,
 *   authenticate: async (request) => {
 *     const user = await userOf(request)
 *     return user ? { userId: user.id } : null
 *   },
 *   expose: {
 *     getSessionKey: true,
 *     createCheckoutJwt: async ({ body }) => ({ body: await orderOf(body?.cart) }),
 *   },
 * })
 * export { handler as GET, handler as POST }
 * ```
 */
export function createMerchantHandler<user extends MerchantUser>(
  options: createMerchantHandler.Options<user>,
): (request: Request) => Promise<Response> {
  const handler = readOptions(options)
  return (request) => respond(handler, request)
}

export declare namespace createMerchantHandler {
  type Options<user extends MerchantUser = MerchantUser> = {
    client: MerchantClient
    authenticate: (request: Request) => user | null | undefined | Promise<user | null | undefined>
    expose: Exposed<NoInfer<user>>
    allowedOrigins?: readonly string[] | undefined
    /** Longest body that is read. Default 65_536. */
    maxBodyBytes?: number | undefined
    clientIp?: ((request: Request) => string | undefined) | undefined
    onError?: ((error: unknown, about: ErrorContext) => void) | undefined
  }
  type ErrorContext = {
    /** Name of the call, where it was an exposed one. */
    call: EndpointId | undefined
    /** As the browser was told. */
    requestId: string
  }
  type User = MerchantUser
  type ErrorType = InvalidOptionError
}

type Handler = {
  client: MerchantClient
  means: Means
  options: createMerchantHandler.Options
  exposed: ReadonlyMap<string, ExposedCall>
  origins: ReadonlySet<string>
  maxBodyBytes: number
  sessionKeys: SessionKeys
}

function readOptions<user extends MerchantUser>(given: createMerchantHandler.Options<user>): Handler {
  // A rule is given the very user that `authenticate` named.
  const options = given as unknown as createMerchantHandler.Options
  checkOptions(options, {
    client: 'object',
    authenticate: 'function',
    expose: 'object',
    allowedOrigins: 'list?',
    maxBodyBytes: 'any',
    clientIp: 'function?',
    onError: 'function?',
  })
  const { client, expose, allowedOrigins = [], maxBodyBytes = 65_536 } = options
  const means = meansOf.get(client)
  if (means === undefined)
    throw new InvalidOptionError('The client is not one of createMerchantClient.', {
      field: 'client',
      fix: 'Give what createMerchantClient returned, as it is.',
    })
  checkCount(maxBodyBytes, 'maxBodyBytes')
  return {
    client,
    means,
    options,
    exposed: exposedCalls(expose),
    origins: readOrigins(allowedOrigins),
    maxBodyBytes,
    sessionKeys: createSessionKeys(client, means.options.now),
  }
}

/** Answers one request, whatever happens. */
async function respond(handler: Handler, request: Request): Promise<Response> {
  const requestId = globalThis.crypto.randomUUID()
  let origin: string | undefined
  let call: ExposedCall | undefined
  let response: Response
  try {
    origin = checkOrigin(request, handler.origins)
    if (request.method === 'OPTIONS' && origin !== undefined)
      return preflightAnswer(origin, [handler.means.names.deviceId, handler.means.names.signedMessage])
    call = findCall(handler, request)
    const text = JSON.stringify(await answer(handler, call, request))
    if (holdsKey(text, handler.means.apiKey)) throw withKey(call)
    response = new Response(text, { headers: { 'content-type': 'application/json' } })
  } catch (error) {
    const told = errorAnswer(error)
    response = toResponse(told, requestId)
    if (told.isOwn) tell(handler, error, { call: call?.endpoint.id, requestId })
  }
  for (const [name, value] of Object.entries({ ...fixedHeaders, ...corsHeaders(origin) }))
    response.headers.set(name, value)
  return response
}

const fixedHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', vary: 'origin' }

/** The answer that nobody is given: whatever made it was done, or may be. */
function withKey({ endpoint, policy }: ExposedCall): BaseError {
  const error = new BaseError('The answer of the service has the API key in it.')
  return policy.repeatable === true
    ? error
    : new CallOutcomeUnknownError(endpoint.id, error, 'Look at what the service has of it.')
}

/** The exposed call that a request names. Others are as if they were not there. */
function findCall({ exposed }: Handler, request: Request): ExposedCall {
  const call = exposed.get(new URL(request.url).pathname.split('/').at(-1) ?? '')
  if (call === undefined) throw new Refusal('NOT_FOUND', 'There is no such call here.')
  if (call.endpoint.method !== request.method)
    throw new Refusal('METHOD_NOT_ALLOWED', `This call is a ${call.endpoint.method}.`, {
      allow: call.endpoint.method,
    })
  return call
}

/** Who asks, what they ask, whether they may; then the call, under who they are. */
async function answer(handler: Handler, call: ExposedCall, request: Request): Promise<unknown> {
  const { client, means, options } = handler
  const found = await options.authenticate(request)
  if (found === null || found === undefined) throw new Refusal('UNAUTHENTICATED', 'Nobody is logged in.')
  const user = readUser(found)
  const said = await readSaid(request, handler.maxBodyBytes)
  const who = { merchantId: means.merchantId, user }
  const ruled = await call.rule({
    ...said,
    // As the merchant's own function named it, with whatever else it holds.
    user: found,
    request,
    // Of the call that the rule is for.
    asked: () => takeAsked(call, said, who) as never,
  })
  if (typeof ruled !== 'object' || ruled === null)
    throw new Refusal('FORBIDDEN', 'This user may not ask that.')
  const identity = await identityOf(handler, call, { request, user, ruled })
  // Each method takes what its own rule and headers gave.
  const method = client[call.endpoint.id] as (options: object) => Promise<unknown>
  try {
    const result = await method({ ...ruled, ...identity })
    if (result !== null) return result
  } catch (error) {
    // A payment is not sent again by itself: the next one has a new key.
    if (isServiceError(error) && error.status === 401) handler.sessionKeys.forget(user)
    throw error
  }
  throw new Refusal('NOT_FOUND', 'There is no record.')
}

/** What the headers of a call say of the customer: from the session, never from what the browser asks. */
async function identityOf(
  { options, means, sessionKeys }: Handler,
  { endpoint }: ExposedCall,
  { request, user, ruled }: { request: Request; user: MerchantUser; ruled: object },
): Promise<Record<string, unknown>> {
  const listed = new Set(headersOf(endpoint))
  const said = (key: 'deviceId' | 'signedMessage') => {
    const text = request.headers.get(means.names[key]) || undefined
    if (!listed.has(key) || text === undefined || isHeaderText(text)) return text
    throw new Refusal('INVALID_REQUEST', 'A header has more than printable ASCII in it.', {
      issues: [means.names[key]],
    })
  }
  const values = {
    ...(user.wallet === undefined
      ? { wallet: Reflect.get(ruled, 'wallet'), blockchain: Reflect.get(ruled, 'blockchain') }
      : { wallet: user.wallet, blockchain: user.blockchain }),
    userId: user.userId,
    deviceId: said('deviceId'),
    signedMessage: said('signedMessage'),
    // Plain JavaScript gives what Headers.get gives, which is null where there is none.
    clientIp: listed.has('clientIp') ? (options.clientIp?.(request) ?? undefined) : undefined,
    sessionKey: listed.has('sessionKey') ? await sessionKeys.of(user) : undefined,
  }
  for (const key of ['userId', 'wallet', 'signedMessage'] as const)
    if (values[key] === undefined && endpoint.headers.required.some((one) => one === key))
      throw new Refusal('FORBIDDEN', `This call needs ${key}, which the session does not name.`, {
        issues: [key],
      })
  // What a call does not list is left out, whoever gave it.
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, listed.has(key as never) ? value : undefined]),
  )
}

function tell({ options }: Handler, error: unknown, about: createMerchantHandler.ErrorContext): void {
  try {
    // A hook may be async in spite of its type. What it throws is not the browser's concern, and ends no server.
    Promise.resolve(options.onError?.(error, about)).catch(() => {})
  } catch {}
}
