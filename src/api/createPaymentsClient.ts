import { isEvmBlockchain } from '../core/blockchains.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { headerNames } from '../core/headerNames.ts'
import { readClock } from '../core/time/clock.ts'
import {
  type ClientOptions,
  checkBlockchain,
  checkClientOptions,
  checkHeader,
  checkWallet,
} from './clientOptions.ts'
import { SessionKeyError } from './errors.ts'
import type { Call, KeptMessage, PaymentsClient } from './paymentsClient.ts'
import { send } from './send.ts'
import type { sendOnce } from './sendOnce.ts'

export type { Call, CallOptions, KeptMessage, PaymentsClient } from './paymentsClient.ts'

/**
 * Makes a client of the payments service for a front end. Opens nothing; the endpoints are functions that take it first.
 *
 * It never sends `Authorization`: calls that need the merchant's API key are not a browser's to make.
 * Credentials are held out of reach: the client can be logged.
 *
 * @throws {@link InvalidOptionError} for an option that cannot be used, naming it
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
export function createPaymentsClient(options: createPaymentsClient.Options): PaymentsClient {
  return makeClient(options, { signedMessages: new Map(), secrets: new Set() })
}

export declare namespace createPaymentsClient {
  type Options = ClientOptions
  type ReturnType = PaymentsClient
  type ErrorType = InvalidOptionError
}

type Store = {
  /** Every credential that was ever held. */
  secrets: Set<string>
  /** By environment and base address, chain and wallet. */
  signedMessages: Map<string, KeptMessage>
  last?: (KeptMessage & { site: string }) | undefined
  sessionKey?: { from: () => string | Promise<string>; key: Promise<string> } | undefined
}

function makeClient(options: ClientOptions, store: Store): PaymentsClient {
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
    store.signedMessages.set(keyOf(site, kept), { ...kept })
    store.last = { ...kept, site }
  }
  if (typeof sessionKey === 'string') store.secrets.add(sessionKey)
  if (signedMessage !== undefined && wallet !== undefined) keep({ wallet, blockchain, signedMessage })

  /** The session key; another than `stale`, unless the function gives the same again. */
  const keyFrom = async (stale?: string): Promise<string | undefined> => {
    if (typeof sessionKey !== 'function') return sessionKey
    const ask = () => {
      const asked = { from: sessionKey, key: askForKey(sessionKey) }
      store.sessionKey = asked
      // A failure is not kept: the next call asks again.
      asked.key.catch(() => {
        if (store.sessionKey === asked) store.sessionKey = undefined
      })
      return asked
    }
    const current = () => (store.sessionKey?.from === sessionKey ? store.sessionKey : undefined)
    const held = current() ?? ask()
    const key = await held.key
    if (key !== stale) return key
    // Another call, refused at the same time, may have asked already.
    const newer = current()
    return (newer === undefined || newer === held ? ask() : newer).key
  }

  const headersOf = async (call: Call, staleKey?: string): Promise<sendOnce.Headers> => {
    const { headers = 'all' } = call
    const plain: Record<string, string> = { accept: 'application/json' }
    const secret: Record<string, string> = {}
    if (call.body !== undefined) plain['content-type'] = 'application/json'
    if (call.device && options.deviceId !== undefined) plain[names.deviceId] = options.deviceId
    if (headers === 'none') return { plain, secret }
    const on = call.blockchain ?? blockchain
    checkBlockchain(on)
    const { last } = store
    const who =
      call.wallet ?? wallet ?? (last?.blockchain === on && last.site === site ? last.wallet : undefined)
    if (who === undefined)
      throw new InvalidOptionError('No wallet is named, and this call needs one.', {
        field: 'wallet',
        fix: 'Give the wallet to the client or to the call, or log in first.',
      })
    checkWallet(who, on)
    plain[names.wallet] = who
    plain[names.blockchain] = on
    checkHeader(call.signedMessage, 'signedMessage')
    if (call.signedMessage !== undefined) secret[names.signedMessage] = call.signedMessage
    if (headers === 'wallet') return { plain, secret }
    const kept = store.signedMessages.get(keyOf(site, { wallet: who, blockchain: on }))
    if (kept && call.signedMessage === undefined && (kept.expiresAt ?? Infinity) * 1000 > now())
      secret[names.signedMessage] = kept.signedMessage
    const key = await keyFrom(staleKey)
    if (key !== undefined) secret[names.sessionKey] = key
    for (const text of Object.values(secret)) store.secrets.add(text)
    return { plain, secret }
  }

  return Object.freeze({
    baseUrl,
    merchantId,
    blockchain,
    environment,
    wallet,
    now,
    request: (call) => {
      let used: string | undefined
      return send(call, {
        options,
        url: baseUrl + call.path,
        headers: async (fresh) => {
          const headers = await headersOf(call, fresh ? used : undefined)
          used = headers.secret[names.sessionKey]
          return headers
        },
        secrets: () => [...store.secrets, ...(call.secrets ?? [])].filter((text) => text.length >= 6),
        // A key given as text cannot be asked for again.
        refreshable: typeof sessionKey === 'function' && (call.headers ?? 'all') === 'all',
      })
    },
    keepSignedMessage: keep,
    with: (overrides) => {
      const changed = { ...options, signedMessage: undefined, ...overrides }
      // A key is for the service that gave it, and for no other.
      if (checkClientOptions(changed) !== baseUrl) changed.sessionKey = overrides.sessionKey
      return makeClient(changed, store)
    },
  } satisfies PaymentsClient)
}

function keyOf(site: string, { wallet, blockchain }: Pick<KeptMessage, 'wallet' | 'blockchain'>): string {
  return `${site} ${blockchain}:${isEvmBlockchain(blockchain) ? wallet.toLowerCase() : wallet}`
}

async function askForKey(ask: () => string | Promise<string>): Promise<string> {
  let key: unknown
  try {
    key = await ask()
    if (typeof key !== 'string') throw new TypeError('no text')
    checkHeader(key, 'sessionKey')
    return key
  } catch {
    // The cause is left out: it may hold the key.
    throw new SessionKeyError('The sessionKey function gave no session key.', {
      field: 'sessionKey',
      fix: 'Let it resolve to the key as one line of text; check the call to your own server.',
    })
  }
}
