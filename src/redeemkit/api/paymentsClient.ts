import { type Blockchain, type Environment, isEvmBlockchain } from '../core/blockchains.ts'
import { type Clock, readClock } from '../core/clock.ts'
import { type HeaderNames, headerNames } from '../core/headerNames.ts'
import type { RecordSchema } from '../schema/readRecord.ts'
import {
  type ClientOptions,
  checkBlockchain,
  checkClientOptions,
  checkHeader,
  checkWallet,
} from './clientOptions.ts'

/**
 * A client of the payments service: frozen data, and a function that calls the service. `known` says which optional options the
 * client has: a call that needs a session key accepts only a `PaymentsClient<HasSessionKey>`.
 */
export type PaymentsClient<known = unknown> = ClientOf<known> & known

/** A client that has a session key, or a function that fetches one. */
export type HasSessionKey = { readonly hasSessionKey: true }

/** What the type of a client's options says about the client. */
export type KnownOf<options> = Named<options, 'wallet'> &
  Named<options, 'userId'> &
  (options extends { sessionKey: string | (() => unknown) } ? HasSessionKey : unknown)

type Named<options, key extends string> = options extends { [_ in key]: string }
  ? { readonly [_ in key]: string }
  : unknown

/** What stays known after `with` overrides options. A session key is valid for its own service, merchant and customer only. */
type StillKnown<known, options> = Omit<
  known,
  keyof options | (Extract<keyof options, BoundTo<known>> extends never ? never : 'hasSessionKey')
>

type BoundTo<known> = 'sessionKey' | 'baseUrl' | 'merchantId' | Extract<keyof known, 'userId'>

/** Rejects unknown options, which a generic function would accept. */
export type Only<options, known> = options & { [key in Exclude<keyof options, keyof known>]: never }

type ClientOf<known> = {
  /** Base URL of the service, without a trailing `/api` or slash. */
  readonly baseUrl: string
  readonly merchantId: string
  readonly blockchain: Blockchain
  readonly environment: Environment | undefined
  /** Default wallet of calls. */
  readonly wallet: string | undefined
  /** Your own id for the customer, used as the default of calls. */
  readonly userId: string | undefined
  /** Whether the client has a session key. The key itself is private. */
  readonly hasSessionKey: boolean
  readonly now: Clock
  /** Sends a call and parses its response. The endpoint functions use it. */
  readonly request: <answer>(call: Call<answer>) => Promise<answer>
  /** Stores the credential of a login. Until it expires, calls with the same wallet and chain send it. */
  readonly keepSignedMessage: (kept: KeptMessage) => void
  /**
   * Returns a client with some options replaced. Both clients share the signed messages of a base URL and environment. If you replace
   * the base URL, merchant or user id, pass the session key again.
   */
  readonly with: <const options extends Partial<ClientOptions>>(
    options: Only<options, ClientOptions>,
  ) => PaymentsClient<StillKnown<known, options> & KnownOf<options>>
}

/** Options of every endpoint. */
export type CallOptions = {
  /** The customer's wallet. Default: the client's. */
  wallet?: string | undefined
  /** The customer's chain. Default: the client's. */
  blockchain?: Blockchain | undefined
  /** Aborts this call. */
  signal?: AbortSignal | undefined
  /** Timeout for one complete response. Default: the client's. */
  timeoutMs?: number | undefined
}

/** The options of a call that needs a wallet or user id. Each is required unless the client's type says that the client has it. */
export type OptionsFor<client, needed extends 'wallet' | 'userId', options = CallOptions> = [
  Exclude<needed, KeysOf<client>>,
] extends [never]
  ? [options?: options & { [_ in needed]?: string | undefined }]
  : [options: options & { [_ in Exclude<needed, KeysOf<client>>]: string }]

type KeysOf<client> = {
  [key in 'wallet' | 'userId']: client extends { [_ in key]: string } ? key : never
}['wallet' | 'userId']

/** One call of the service. */
export type Call<answer = unknown> = CallOptions & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, starting with `/api`, and its query. */
  path: string
  body?: unknown
  /** Texts of the body that errors must not repeat. */
  secrets?: readonly string[] | undefined
  /** Schema of the response. An empty object schema also accepts an empty body. */
  answer: RecordSchema<answer>
  /**
   * Headers to send: `none`; `wallet` with its blockchain; the `session` key, with the wallet if there is one; or `all` credentials.
   * Without a wallet, `all` sends the session key alone. Default `all`.
   */
  headers?: 'none' | 'wallet' | 'session' | 'all' | undefined
  /** Whether the call needs the wallet as well as a session key. */
  needsWallet?: boolean | undefined
  /** Header values that are not client options. */
  more?: { userId?: string | undefined; clientIp?: string | undefined } | undefined
  /** Whether to send the device id. */
  device?: boolean | undefined
  /** Replaces the stored signed message. */
  signedMessage?: string | undefined
  /**
   * Whether the call may be repeated when its outcome is unknown; false for a submit. `never` is for calls that cost money each time: they
   * are sent only once, even if the service refused the request.
   */
  repeatable: boolean | 'never'
  /** Called right before each request is sent. */
  onSend?: (() => void) | undefined
  /** Called before a retry if an earlier attempt may have succeeded. */
  onLost?: (() => void) | undefined
}

/** The credential of a login. */
export type KeptMessage = {
  wallet: string
  blockchain: Blockchain
  signedMessage: string
  /** Unix seconds at which it expires. */
  expiresAt?: number | undefined
}

/** Separate from the client, so that a page can load the code later. */
export type Sender = { sendCall: <answer>(call: Call<answer>, client: CallClient) => Promise<answer> }

/** The parts of a client that `sendCall` needs. */
export type CallClient = {
  options: ClientOptions
  names: HeaderNames
  store: CredentialStore
  /** A stored credential is valid for one environment and base URL. */
  site: string
  baseUrl: string
}

/** A client and all clients that its `with` creates share one store. */
export type CredentialStore = {
  /** Every credential that one of these clients has used so far. */
  secrets: Set<string>
  /** By environment, base URL, chain and wallet. */
  signedMessages: Map<string, KeptMessage>
  last?: (KeptMessage & { site: string }) | undefined
  sessionKey?: { from: () => string | Promise<string>; key: Promise<string> } | undefined
}

export function keyOfMessage(
  site: string,
  { wallet, blockchain }: Pick<KeptMessage, 'wallet' | 'blockchain'>,
): string {
  return `${site} ${blockchain}:${isEvmBlockchain(blockchain) ? wallet.toLowerCase() : wallet}`
}

export function makeClient(
  options: ClientOptions,
  sender: Sender,
  store: CredentialStore = { signedMessages: new Map(), secrets: new Set() },
): PaymentsClient {
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
    request: (call) => sender.sendCall(call, { options, names, store, site, baseUrl }),
    keepSignedMessage: keep,
    // the type of `with` describes the result
    with: ((overrides: Partial<ClientOptions>) => {
      const changed = { ...options, signedMessage: undefined, ...overrides }
      const isSameCustomer =
        checkClientOptions(changed) === baseUrl &&
        changed.merchantId === merchantId &&
        (options.userId === undefined || changed.userId === options.userId)
      if (!isSameCustomer) changed.sessionKey = newSource(overrides.sessionKey)
      return makeClient(changed, sender, store)
    }) as PaymentsClient['with'],
  } satisfies PaymentsClient)
}

/** A cached key must not be used for another service, merchant or customer, so each client has its own function object. */
function newSource(sessionKey: ClientOptions['sessionKey']): ClientOptions['sessionKey'] {
  return typeof sessionKey === 'function' ? () => sessionKey() : sessionKey
}
