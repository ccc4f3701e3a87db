import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import { type InvalidClockError, readClock } from '../core/time/clock.ts'
import { callHeaders } from './callHeaders.ts'
import {
  type ClientOptions,
  checkBlockchain,
  checkClientOptions,
  checkHeader,
  checkWallet,
} from './clientOptions.ts'
import { type CredentialStore, keyOfMessage } from './credentials.ts'
import type { KeptMessage, KnownOf, Only, PaymentsClient } from './paymentsClient.ts'
import { send } from './send.ts'

export type { Call, CallOptions, HasSessionKey, KeptMessage, PaymentsClient } from './paymentsClient.ts'

/**
 * Creates a client of the payments service for a front end. Opens no connection; pass it to the endpoint functions.
 *
 * It never sends `Authorization`: calls that need the API key belong on the merchant's server. Credentials are private, so the
 * client can be logged.
 *
 * @returns a client whose type records whether it has a wallet, a user id and a session key. Calls that need a missing one
 * require it in their own options
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
  // copied, so that later changes of the caller's object have no effect
  const copy: ClientOptions = { ...options }
  // the client has the same fields as its options
  return makeClient(copy, { signedMessages: new Map(), secrets: new Set() }) as PaymentsClient<
    KnownOf<options>
  >
}

export declare namespace createPaymentsClient {
  type Options = ClientOptions
  type ReturnType = PaymentsClient
  type ErrorType = InvalidOptionError | InvalidOrderIdError | InvalidClockError
}

function makeClient(options: ClientOptions, store: CredentialStore): PaymentsClient {
  const baseUrl = checkClientOptions(options)
  const { merchantId, blockchain, environment, wallet, sessionKey, signedMessage, now = Date.now } = options
  readClock(now)
  const names = headerNames(options.headerPrefix)
  const site = `${environment} ${baseUrl}`

  const keep = (kept: KeptMessage) => {
    checkBlockchain(kept.blockchain)
    checkWallet(kept.wallet, kept.blockchain)
    checkHeader(kept.signedMessage, 'signedMessage')
    store.secrets.add(kept.signedMessage)
    store.signedMessages.set(keyOfMessage(site, kept), { ...kept })
    store.last = { ...kept, site }
  }
  if (typeof sessionKey === 'string') store.secrets.add(sessionKey)
  if (signedMessage !== undefined && wallet !== undefined) keep({ wallet, blockchain, signedMessage })

  return Object.freeze({
    baseUrl,
    merchantId,
    blockchain,
    environment,
    wallet,
    userId: options.userId,
    hasSessionKey: sessionKey !== undefined,
    now,
    request: (call) => {
      let used: string | undefined
      return send(call, {
        options,
        url: baseUrl + call.path,
        headers: async (fresh) => {
          const staleKey = fresh ? used : undefined
          const headers = await callHeaders(call, { options, names, store, site, staleKey })
          used = headers.secret[names.sessionKey]
          return headers
        },
        secrets: () => [...store.secrets, ...(call.secrets ?? [])],
        // a key passed as text cannot be refreshed
        refreshable: typeof sessionKey === 'function' && call.headers !== 'none' && call.headers !== 'wallet',
        forgetKey: () => {
          store.sessionKey = undefined
        },
      })
    },
    keepSignedMessage: keep,
    // the type of `with` describes the result
    with: ((overrides: Partial<ClientOptions>) => {
      const changed = { ...options, signedMessage: undefined, ...overrides }
      // a session key belongs to one service
      if (checkClientOptions(changed) !== baseUrl) changed.sessionKey = overrides.sessionKey
      return makeClient(changed, store)
    }) as PaymentsClient['with'],
  } satisfies PaymentsClient)
}
