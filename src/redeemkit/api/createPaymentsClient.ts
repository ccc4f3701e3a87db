import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { HeaderNames } from '../core/headerNames.ts'
import { headerNames } from '../core/headerNames.ts'
import type { InvalidOrderIdError } from '../core/orderId.ts'
import { type InvalidClockError, readClock } from '../core/time/clock.ts'
import {
  type ClientOptions,
  checkBlockchain,
  checkClientOptions,
  checkHeader,
  checkWallet,
} from './clientOptions.ts'
import { type CredentialStore, keyOfMessage, readSessionKey } from './credentials.ts'
import type { Call, KeptMessage, KnownOf, Only, PaymentsClient } from './paymentsClient.ts'
import { send } from './send.ts'
import type { sendOnce } from './sendOnce.ts'

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

/**
 * Returns the headers of a call, credentials separate (PROTOCOL.md 1.2). The wallet is always sent if known; otherwise the
 * session key alone identifies the customer (PROTOCOL.md 1.3).
 *
 * @param means.site environment and base URL that stored credentials must belong to
 * @param means.staleKey a rejected session key, which is replaced
 * @throws {@link InvalidOptionError} for a wallet, chain or credential that a header cannot carry; SessionKeyError
 */
async function callHeaders(
  call: Call,
  means: {
    options: ClientOptions
    names: HeaderNames
    store: CredentialStore
    site: string
    staleKey?: string | undefined
  },
): Promise<sendOnce.Headers> {
  const { options, names, store, site, staleKey } = means
  const { now = Date.now } = options
  const { headers = 'all' } = call
  const plain: Record<string, string> = { accept: 'application/json' }
  const secret: Record<string, string> = {}
  if (call.body !== undefined) plain['content-type'] = 'application/json'
  if (call.device && options.deviceId !== undefined) plain[names.deviceId] = options.deviceId
  if (headers === 'none') return { plain, secret }
  const on = call.blockchain ?? options.blockchain
  checkBlockchain(on)
  const { last } = store
  const who =
    call.wallet ?? options.wallet ?? (last?.blockchain === on && last.site === site ? last.wallet : undefined)
  const isForWallet = headers === 'wallet' || call.needsWallet || call.signedMessage !== undefined
  if (who === undefined && (isForWallet || options.sessionKey === undefined))
    throw new InvalidOptionError(
      isForWallet
        ? 'This call needs a wallet.'
        : 'This call needs a wallet or a session key to identify the customer.',
      {
        field: 'wallet',
        fix: `Pass \`wallet\` to the client or the call, or log in first${isForWallet ? '' : ', or pass `sessionKey` to the client'}.`,
      },
    )
  if (who !== undefined) {
    checkWallet(who, on)
    plain[names.wallet] = who
    plain[names.blockchain] = on
  }
  for (const field of ['userId', 'clientIp'] as const) {
    const text = call.more?.[field]
    checkHeader(text, field)
    if (text !== undefined) plain[names[field]] = text
  }
  checkHeader(call.signedMessage, 'signedMessage')
  if (call.signedMessage !== undefined) {
    secret[names.signedMessage] = call.signedMessage
    store.secrets.add(call.signedMessage)
  }
  if (headers === 'wallet') return { plain, secret }
  const kept =
    who === undefined || headers === 'session'
      ? undefined
      : store.signedMessages.get(keyOfMessage(site, { wallet: who, blockchain: on }))
  if (kept && call.signedMessage === undefined && (kept.expiresAt ?? Infinity) * 1000 > now())
    secret[names.signedMessage] = kept.signedMessage
  const key = await readSessionKey(store, options.sessionKey, staleKey)
  if (key !== undefined) secret[names.sessionKey] = key
  for (const text of Object.values(secret)) store.secrets.add(text)
  return { plain, secret }
}
