import type { InvalidClockError } from '../core/clock.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import type { ClientOptions } from './clientOptions.ts'
import { type KnownOf, makeClient, type Only, type PaymentsClient } from './paymentsClient.ts'
import { sendCall } from './sendCall.ts'

export type { Call, CallOptions, HasSessionKey, KeptMessage, PaymentsClient } from './paymentsClient.ts'

/**
 * Creates a client of the payments service for a front end. Pass it to the endpoint functions. It opens no connection.
 *
 * It never sends `Authorization`: calls that need the API key belong on the merchant's server. Logging the client shows no
 * credential.
 *
 * @returns a client whose type says whether it has a wallet, a user id and a session key. If one is missing, calls
 * that need it require it as an option
 * @throws {@link InvalidOptionError} naming an invalid option; {@link InvalidOrderIdError} for a merchant id that is empty, has
 * invisible characters or is not in Unicode NFC; {@link InvalidClockError} for a `now` that returns no valid time
 * @example
 * ```ts
 * import { createPaymentsClient } from 'redeemkit'
 * const client = createPaymentsClient({
 *   baseUrl: 'https://service.example',
 *   merchantId: 'shop',
 *   blockchain: 'base',
 * })
 * ```
 */
export function createPaymentsClient<const options extends ClientOptions>(
  options: Only<options, ClientOptions>,
): PaymentsClient<KnownOf<options>> {
  // later changes of the caller's object must have no effect
  const copy: ClientOptions = { ...options }
  // the client has the same fields as its options
  return makeClient(copy, {
    sendCall: (call, client) => sendCall(call, client),
  }) as PaymentsClient<KnownOf<options>>
}

export declare namespace createPaymentsClient {
  type Options = ClientOptions
  type ReturnType = PaymentsClient
  type ErrorType = InvalidOptionError | InvalidOrderIdError | InvalidClockError
}
