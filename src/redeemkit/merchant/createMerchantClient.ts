import type { Environment } from '../core/blockchains.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import { type InvalidClockError, readClock } from '../core/time/clock.ts'
import { endpoints } from '../schema/endpoints/endpoints.ts'
import { callService, type Means } from './client/callService.ts'
import { type CallPolicy, calls } from './client/calls.ts'
import type { MerchantCalls } from './client/callTypes.ts'
import { checkMerchantOptions, type MerchantClientOptions } from './merchantOptions.ts'

/**
 * Makes a client for a merchant's own server: every call of the service as a method, with the API key where the call needs it.
 * Opens nothing.
 *
 * What a call's headers, path, query and body must carry is required by its type, and checked before anything is sent. Answers are taken by
 * their schemas, and fields that nobody knows are kept. A call that pays or pays out is never sent twice by itself, unless an
 * `idempotencyKey` makes the two one; where its outcome is not known, a `CallOutcomeUnknownError` says where to look.
 *
 * The key is held out of reach: the client can be logged, and no error, URL or hook has it.
 *
 * @throws {@link InvalidOptionError} for an option that cannot be used, naming it; {@link InvalidOrderIdError} for a merchant id that is
 * empty, has invisible characters or is not in Unicode NFC; {@link InvalidClockError} for a `now` that tells no time
 * @throws by each call: InvalidOptionError and InvalidRecordError before anything is sent; then what the service answers
 * (`isServiceError`), ServiceUnreachableError, ServiceTimeoutError, InvalidAnswerError, RequestAbortedError, SessionKeyError,
 * CallOutcomeUnknownError, and OutcomeUnknownError by `sendGaslessTx`
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
  // One method for each call of the table, which the type is made of, too.
  const client = Object.freeze(
    Object.assign({ baseUrl, merchantId, environment }, ...methods),
  ) as MerchantClient
  meansOf.set(client, means)
  return client
}

export declare namespace createMerchantClient {
  type Options = MerchantClientOptions
  type ReturnType = MerchantClient
  type ErrorType = InvalidOptionError | InvalidOrderIdError | InvalidClockError
}

/** A client of the payments service for a merchant's server: plain, frozen data with a method for each call. */
export type MerchantClient = MerchantCalls & {
  /** Without `/api` and slashes at its end. */
  readonly baseUrl: string
  readonly merchantId: string
  readonly environment: Environment | undefined
}

/** What a client is made with, for the handler: nothing of it can be reached through the client. */
export const meansOf = new WeakMap<MerchantClient, Means>()
