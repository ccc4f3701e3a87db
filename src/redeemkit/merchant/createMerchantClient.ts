import { type ClientOptions, checkClientOptions, checkHeader, serviceOptions } from '../api/clientOptions.ts'
import type { Environment } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { type InvalidClockError, readClock } from '../core/clock.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { headerNames } from '../core/headerNames.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import type { EndpointHeader } from '../schema/endpoints/routes.ts'
import type { RecordSchema } from '../schema/readRecord.ts'
import { freeObject } from '../schema/values.ts'
import { holdsKey, isSecret } from './callRequest.ts'
import { type AnyCall, type CallMethod, callService, type Means } from './callService.ts'
import { type CallPolicy, calls } from './calls.ts'
import type { HeaderValues, MerchantCalls, SendOptions } from './callTypes.ts'

/**
 * Creates a client for a merchant's server, with a method for every endpoint. It sends the API key only with calls that need it, and
 * opens no connection before the first call.
 *
 * Each call checks its options before it sends anything, and parses the response with its schema; unknown fields are kept. A call that
 * moves money is never retried without an `idempotencyKey`. If its outcome is unknown, `CallOutcomeUnknownError` says what to check.
 *
 * The API key is private: no log of the client, error, URL or hook contains it.
 *
 * @throws {@link InvalidOptionError} naming an invalid option; {@link InvalidOrderIdError} for a merchant id that is empty, has
 * invisible characters or is not in Unicode NFC; {@link InvalidClockError} for a `now` that returns no valid time
 * @throws from each call: InvalidOptionError and InvalidRecordError before anything is sent; then the service's errors
 * (`isServiceError`), ServiceUnreachableError, ServiceTimeoutError, InvalidAnswerError, RequestAbortedError, SessionKeyError,
 * CallOutcomeUnknownError, and OutcomeUnknownError from `sendGaslessTx`
 * @example
 * ```ts
 * import { createMerchantClient } from 'redeemkit/merchant'
 * const merchant = createMerchantClient({
 *   baseUrl: 'https://service.example',
 *   apiKey: process.env.SERVICE_API_KEY ?? '',
 *   merchantId: 'shop',
 * })
 * const refund = (paymentId: string) =>
 *   merchant.refundPayment({ paymentId, body: { partialAmount: { cents: 400 }, idempotencyKey: `refund ${paymentId}` } })
 * ```
 */
export function createMerchantClient(options: createMerchantClient.Options): MerchantClient {
  const { baseUrl, apiKey, sending } = checkMerchantOptions(options)
  const { merchantId, environment, headerPrefix, now } = sending
  readClock(now)
  const means: Means = { baseUrl, merchantId, apiKey, names: headerNames(headerPrefix), options: sending }
  const methods = endpoints.map((endpoint) => {
    const policy: CallPolicy = calls[endpoint.id]
    return {
      [endpoint.id]: (given?: Readonly<Record<string, unknown>>) =>
        callService(means, { endpoint, policy }, given),
    }
  })
  const other: { request: MerchantRequest } = {
    request: async (method, path, given = {}) =>
      callService(means, describedCall(method, path, given), given),
  }
  // one method for each endpoint, as the type says
  const client = Object.freeze(
    Object.assign({ baseUrl, merchantId, environment }, other, ...methods),
  ) as MerchantClient
  meansOf.set(client, means)
  return client
}

export declare namespace createMerchantClient {
  type Options = MerchantClientOptions
  type ReturnType = MerchantClient
  type ErrorType = InvalidOptionError | InvalidOrderIdError | InvalidClockError
}

/** A client for a merchant's server: frozen data with one method per endpoint. */
export type MerchantClient = MerchantCalls & {
  /** Base URL without a trailing `/api` or slash. */
  readonly baseUrl: string
  readonly merchantId: string
  readonly environment: Environment | undefined
  /**
   * Makes a call for which the client has no method, with your API key: `request('GET', '/api/merchant/…')`. Headers, errors and the
   * protection of secrets work as in other calls. Body and response are not checked. Only a GET is retried: if the outcome of any
   * other method is unknown, it throws `CallOutcomeUnknownError`.
   */
  readonly request: MerchantRequest
}

/** Data of each client for the handler. Kept outside of the client, because it includes the API key. */
export const meansOf = new WeakMap<MerchantClient, Means>()

/** Options of a merchant's client. */
type MerchantClientOptions = Pick<ClientOptions, keyof typeof serviceOptions> & {
  /** The merchant's API key, from your server's secrets, with or without `Bearer `. */
  apiKey: string
}

const kinds: OptionKinds<MerchantClientOptions> = { ...serviceOptions, apiKey: 'any' }

/** Never shows the API key. */
function checkMerchantOptions(options: MerchantClientOptions): {
  baseUrl: string
  apiKey: string
  sending: ClientOptions
} {
  const { apiKey, ...rest } = checkOptions(options, kinds)
  if (!isSecret(apiKey))
    throw new InvalidOptionError('The apiKey is missing or empty.', {
      field: 'apiKey',
      fix: "Pass the merchant's API key as text, from your server's secrets.",
      source: 'PROTOCOL.md 1.3',
    })
  checkHeader(apiKey, 'apiKey')
  for (const [name, value] of Object.entries(rest))
    if (typeof value === 'string' && holdsKey(value, apiKey))
      throw new InvalidOptionError(`${name} contains the API key.`, {
        field: name,
        fix: 'Pass the key only as `apiKey`: other options end up in URLs and logs.',
      })
  // each call names the customer's chain; `user` means none
  const sending: ClientOptions = { ...rest, blockchain: 'user' }
  return { baseUrl: checkClientOptions(sending), apiKey, sending }
}

/** Makes a call for which the client has no method. */
export type MerchantRequest = (
  method: CallMethod,
  path: string,
  options?: MerchantRequestOptions,
) => Promise<unknown>

export type MerchantRequestOptions = {
  readonly [name in keyof HeaderValues]?: HeaderValues[name] | undefined
} & SendOptions & {
    /** Query parameters. */
    query?: Readonly<Record<string, unknown>> | undefined
    /** JSON object, for methods other than GET. Not checked. */
    body?: Readonly<Record<string, unknown>> | undefined
  }

const methods: readonly CallMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const headers = [
  'wallet',
  'blockchain',
  'userId',
  'sessionKey',
  'signedMessage',
  'clientIp',
  'deviceId',
] as const

/**
 * Builds a call for which the client has no method.
 *
 * @throws {@link InvalidOptionError} for an unknown method, or a path that is not below `/api/`
 */
export function describedCall(method: CallMethod, path: string, options: MerchantRequestOptions): AnyCall {
  if (!methods.includes(method))
    throw new InvalidOptionError(`${showValue(method)} is not a method that can be sent.`, {
      field: 'method',
      fix: `Pass one of ${methods.join(', ')}.`,
    })
  if (!isApiPath(path))
    throw new InvalidOptionError('The path cannot be used.', {
      field: 'path',
      fix: 'Pass a path from `/api/`, in ASCII, with each part URL-encoded. Pass query parameters as `query`.',
    })
  const optional: EndpointHeader[] = [...headers]
  // most calls do not take this header, so it has no default here
  if (options.merchantId !== undefined) optional.push('merchantId')
  return {
    endpoint: {
      id: 'request',
      method,
      path,
      headers: { required: ['authorization'], optional },
      query: freeObject,
      ...(method !== 'GET' && options.body !== undefined && { body: freeObject }),
    },
    policy:
      method === 'GET'
        ? { repeatable: true }
        : {
            repeatable: 'never',
            body: 'private',
            lookUp: 'The service may have executed the request. Check that before you repeat the call.',
          },
    answer: anything,
  }
}

const anything: RecordSchema<unknown> = { safeParse: (data) => ({ success: true, data }), isAny: true }

/** Whether a path is below `/api/`, in printable ASCII (also percent-encoded), without a query and without `.` or `..` segments. */
function isApiPath(path: unknown): path is `/api/${string}` {
  return (
    typeof path === 'string' &&
    /^\/api(?:\/(?:[\w\-.~!$&'()*+,;=:@]|%[2-7][\da-f])+)+$/i.test(path) &&
    !/(?:\/|%2f|%5c)(?:\.|%2e){1,2}(?:$|\/|%2f|%5c)/i.test(path)
  )
}
