import type { Blockchain, Environment } from '../core/blockchains.ts'
import type { Clock } from '../core/time/clock.ts'
import type { RecordSchema } from '../schema/readRecord.ts'
import type { ClientOptions } from './clientOptions.ts'

/**
 * A client of the payments service: plain, frozen data with the means to call it. `known` is what it has for certain, by the
 * options that it was made of: a call that needs a session key takes a `PaymentsClient<HasSessionKey>` only.
 */
export type PaymentsClient<known = unknown> = ClientOf<known> & known

/** Of a client that was given a session key, or a function that fetches one. */
export type HasSessionKey = { readonly hasSessionKey: true }

/** What a client has for certain by its options. */
export type KnownOf<options> = Named<options, 'wallet'> &
  Named<options, 'userId'> &
  (options extends { sessionKey: string | (() => unknown) } ? HasSessionKey : unknown)

type Named<options, key extends string> = options extends { [_ in key]: string }
  ? { readonly [_ in key]: string }
  : unknown

/** What stays known when these options take the place of others. A session key is for its own service only. */
type StillKnown<known, options> = Omit<
  known,
  keyof options | (Extract<keyof options, 'sessionKey' | 'baseUrl'> extends never ? never : 'hasSessionKey')
>

/** Options without any others, which a generic function would let pass. */
export type Only<options, known> = options & { [key in Exclude<keyof options, keyof known>]: never }

type ClientOf<known> = {
  /** Without `/api` and slashes at its end. */
  readonly baseUrl: string
  readonly merchantId: string
  readonly blockchain: Blockchain
  readonly environment: Environment | undefined
  /** The wallet that calls stand for when they name none. */
  readonly wallet: string | undefined
  /** The merchant's own name of the customer, where calls name none. */
  readonly userId: string | undefined
  /** Whether calls can carry a session key. The key itself is held out of reach. */
  readonly hasSessionKey: boolean
  readonly now: Clock
  /** Sends one call and takes its answer by a schema. The endpoints are made of it. */
  readonly request: <answer>(call: Call<answer>) => Promise<answer>
  /** Keeps the credential of a login: later calls of that wallet on that chain carry it, until it expires. */
  readonly keepSignedMessage: (kept: KeptMessage) => void
  /**
   * A client with other options, which shares what this one keeps: signed messages within one base address and environment.
   * Another base address gets no session key unless it is given again.
   */
  readonly with: <const options extends Partial<ClientOptions>>(
    options: Only<options, ClientOptions>,
  ) => PaymentsClient<StillKnown<known, options> & KnownOf<options>>
}

/** Options that every endpoint takes. */
export type CallOptions = {
  /** Instead of the client's. */
  wallet?: string | undefined
  /** Instead of the client's. */
  blockchain?: Blockchain | undefined
  /** Aborts this call. */
  signal?: AbortSignal | undefined
  /** Longest wait for one whole answer, instead of the client's. */
  timeoutMs?: number | undefined
}

/**
 * The options of a call that needs more than a session key: a must where the client is not known to have it, and the options
 * may be left out where it is.
 */
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
  method: 'GET' | 'POST'
  /** Path with its query, from `/api` on. */
  path: string
  body?: unknown
  /** Texts of the body that no error may repeat. */
  secrets?: readonly string[] | undefined
  /** What the answer must be. Where it is an object without fields, nothing is expected, and an empty answer will do. */
  answer: RecordSchema<answer>
  /**
   * Which headers go along: `none`, the `wallet` and its blockchain, or these and every credential that the client has;
   * where no wallet is known, a session key alone; or the `session` key, and the wallet where it is known. Default `all`.
   */
  headers?: 'none' | 'wallet' | 'session' | 'all' | undefined
  /** Whether it needs the wallet beside a session key. */
  needsWallet?: boolean | undefined
  /** Values of headers that no client option gives. */
  more?: { userId?: string | undefined; clientIp?: string | undefined } | undefined
  /** Whether the device id goes along. */
  device?: boolean | undefined
  /** A signed message instead of the kept one. */
  signedMessage?: string | undefined
  /**
   * Whether it may be sent again when nobody knows whether it was done. Not for a submit. `never` is for what costs money each
   * time: one press is one request, whatever is answered.
   */
  repeatable: boolean | 'never'
  /** Told right before a request leaves, each time one does. */
  onSend?: (() => void) | undefined
}

/** A credential that a login gave. */
export type KeptMessage = {
  wallet: string
  blockchain: Blockchain
  signedMessage: string
  /** Unix seconds from which on it is worthless. */
  expiresAt?: number | undefined
}
