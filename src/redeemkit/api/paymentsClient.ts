import type { Blockchain, Environment } from '../core/blockchains.ts'
import type { Clock } from '../core/clock.ts'
import type { RecordSchema } from '../schema/readRecord.ts'
import type { ClientOptions } from './clientOptions.ts'

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
