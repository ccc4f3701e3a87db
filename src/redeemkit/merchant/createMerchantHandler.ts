import { checkCount, isHeaderText } from '../api/clientOptions.ts'
import { isServiceError } from '../api/errors.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headersOf, holdsKey } from './callRequest.ts'
import { CallOutcomeUnknownError, type Means } from './callService.ts'
import type { EndpointId } from './calls.ts'
import { checkOrigin, corsHeaders, preflightAnswer, readOrigins } from './checkOrigin.ts'
import { type MerchantClient, meansOf } from './createMerchantClient.ts'
import { errorAnswer, Refusal, toResponse } from './errorAnswer.ts'
import { type Exposed, type ExposedCall, exposedCalls } from './exposedCalls.ts'
import { type MerchantUser, readSaid, readUser, takeAsked } from './readAsked.ts'
import { createSessionKeys, type SessionKeys } from './sessionKeys.ts'

/**
 * Creates a fetch handler that exposes selected calls to the merchant's front end, under the merchant's own user session
 * (PROTOCOL.md 1.6). It works in Hono, Next, workers and any server based on `Request` and `Response`; Express and `node:http`
 * need an adapter.
 *
 * The last path segment names the call, and the method is the call's own: `GET …/getSessionKey`, `POST …/createCheckoutJwt`. A page
 * sends the call's path and query parameters as query parameters, and its body as JSON. Only the listed calls are exposed. User id,
 * wallet, session key and merchant come from the server, never from the browser.
 *
 * @param options.authenticate returns the user of your session: a user id, a wallet, or both; `null` if no user is logged in
 * @param options.expose for each exposed call `true`, or a function that returns the call's options for this user. Calls that act for
 * the merchant as a whole, such as refunds, require a function
 * @param options.allowedOrigins further origins that may call with cookies, such as "https://shop.example". Default: only the
 * handler's own origin
 * @param options.clientIp returns the customer's IP address, for calls that forward it. Only your server knows which proxy to trust
 * @param options.onError receives errors whose details the browser does not get: failures of your functions, the API key or the network
 * @throws {@link InvalidOptionError} naming an invalid option
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
    /** Maximum size of a request body. Default 65_536. */
    maxBodyBytes?: number | undefined
    clientIp?: ((request: Request) => string | undefined) | undefined
    onError?: ((error: unknown, about: ErrorContext) => void) | undefined
  }
  type ErrorContext = {
    /** Name of the call, if it is exposed. */
    call: EndpointId | undefined
    /** The request id in the response to the browser, unless the service has named its own. */
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
  // The types of the rules differ by `user`. At run time each rule gets the user that `authenticate` returned.
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
    throw new InvalidOptionError('The client was not created by createMerchantClient.', {
      field: 'client',
      fix: 'Pass the client that createMerchantClient returned.',
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

/** Never throws. */
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
    const failure = errorAnswer(error)
    response = toResponse(failure, requestId)
    if (failure.isOwn) tell(handler, error, { call: call?.endpoint.id, requestId })
  }
  for (const [name, value] of Object.entries({ ...fixedHeaders, ...corsHeaders(origin) }))
    response.headers.set(name, value)
  return response
}

const fixedHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', vary: 'origin' }

/** Returns the error for a response that contains the API key. The service may have executed the call. */
function withKey({ endpoint, policy }: ExposedCall): BaseError {
  const error = new BaseError("The service's response contains the API key.")
  return policy.repeatable === true
    ? error
    : new CallOutcomeUnknownError(endpoint.id, error, 'Check the status of this call with the service.')
}

/** A call that is not exposed is a 404. */
function findCall({ exposed }: Handler, request: Request): ExposedCall {
  const call = exposed.get(new URL(request.url).pathname.split('/').at(-1) ?? '')
  if (call === undefined) throw new Refusal('NOT_FOUND', 'There is no such call here.')
  if (call.endpoint.method !== request.method)
    throw new Refusal('METHOD_NOT_ALLOWED', `This call is a ${call.endpoint.method}.`, {
      allow: call.endpoint.method,
    })
  return call
}

/** Authenticates the user before it reads the body. */
async function answer(handler: Handler, call: ExposedCall, request: Request): Promise<unknown> {
  const { client, means, options } = handler
  const found = await options.authenticate(request)
  if (found === null || found === undefined) throw new Refusal('UNAUTHENTICATED', 'Not logged in.')
  const user = readUser(found)
  const said = await readSaid(request, handler.maxBodyBytes)
  const who = { merchantId: means.merchantId, user }
  const ruled = await call.rule({
    ...said,
    user: found,
    request,
    // The compiler does not know which call's rule this is.
    asked: () => takeAsked(call, said, who) as never,
  })
  if (typeof ruled !== 'object' || ruled === null)
    throw new Refusal('FORBIDDEN', 'This user may not make this call.')
  const identity = await identityOf(handler, call, { request, user, ruled })
  // each method takes the options of its own rule and headers
  const method = client[call.endpoint.id] as (options: object) => Promise<unknown>
  try {
    const result = await method({ ...ruled, ...identity })
    if (result !== null) return result
  } catch (error) {
    // a payment is not retried, but the next call must fetch a new key
    if (isServiceError(error) && error.status === 401) handler.sessionKeys.forget(user)
    throw error
  }
  throw new Refusal('NOT_FOUND', 'There is no record.')
}

/** The session, and never the request, decides who the customer is. */
async function identityOf(
  { options, means, sessionKeys }: Handler,
  { endpoint }: ExposedCall,
  { request, user, ruled }: { request: Request; user: MerchantUser; ruled: object },
): Promise<Record<string, unknown>> {
  const listed = new Set(headersOf(endpoint))
  const said = (key: 'deviceId' | 'signedMessage') => {
    const text = request.headers.get(means.names[key]) || undefined
    if (!listed.has(key) || text === undefined || isHeaderText(text)) return text
    throw new Refusal('INVALID_REQUEST', 'A header contains characters other than printable ASCII.', {
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
    // JavaScript callers may return null, as `Headers.get` does
    clientIp: listed.has('clientIp') ? (options.clientIp?.(request) ?? undefined) : undefined,
    sessionKey: listed.has('sessionKey') ? await sessionKeys.of(user) : undefined,
  }
  for (const key of ['userId', 'wallet', 'signedMessage'] as const)
    if (values[key] === undefined && endpoint.headers.required.some((one) => one === key))
      throw new Refusal('FORBIDDEN', `This call needs ${key}, which the session does not have.`, {
        issues: [key],
      })
  // drop the values that the call does not list
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, listed.has(key as never) ? value : undefined]),
  )
}

function tell({ options }: Handler, error: unknown, about: createMerchantHandler.ErrorContext): void {
  try {
    // a hook may be async despite its type
    Promise.resolve(options.onError?.(error, about)).catch(() => {})
  } catch {
    // an error of the hook must neither reach the browser nor end the server
  }
}
