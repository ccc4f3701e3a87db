import type * as z from 'zod/mini'
import type { SessionKeySource } from '../../api/credentials.ts'
import type { Blockchain } from '../../core/blockchains.ts'
import type { EndpointHeader } from '../../schema/endpoints/endpoint.ts'
import type { endpoints } from '../../schema/endpoints/endpoints.ts'
import type { loose } from '../../schema/loose.ts'
import type { calls, EndpointId } from './calls.ts'

type Endpoints = (typeof endpoints)[number]

export type EndpointOf<id extends EndpointId> = Extract<Endpoints, { id: id }>

/** The calls of a merchant's client. Mapped over `calls`, so that each method keeps its text. */
export type MerchantCalls = { readonly [id in keyof typeof calls]: MerchantCall<id> }

export type MerchantCall<id extends EndpointId> =
  AllOptional<MerchantCallOptions<id>> extends true
    ? (options?: MerchantCallOptions<id>) => Promise<MerchantCallAnswer<id>>
    : (options: MerchantCallOptions<id>) => Promise<MerchantCallAnswer<id>>

/** What a call takes: parameters of its path, what its headers carry, query, body, and how it is sent. */
export type MerchantCallOptions<id extends EndpointId> = Flat<
  PathOptions<EndpointOf<id>> &
    HeaderOptions<EndpointOf<id>['headers']> &
    QueryOptions<EndpointOf<id>> &
    BodyOptions<EndpointOf<id>> &
    OrderOptions<id> &
    SendOptions
>

/** What a call answers: unknown fields are kept. `null` from `validateKyc` says that there is no record. */
export type MerchantCallAnswer<id extends EndpointId> =
  | LooseAnswer<EndpointOf<id>>
  | ((typeof calls)[id] extends { mayLack: true } ? null : never)

type LooseAnswer<endpoint> = endpoint extends { answer: infer schema extends z.core.$ZodType }
  ? z.output<ReturnType<typeof loose<schema>>>
  : never

/** What the browser may ask of a call: all but the customer's identity, credentials and the merchant. */
export type AskedOptions<id extends EndpointId> = Flat<
  Omit<PathOptions<EndpointOf<id>>, MerchantParameter> &
    QueryOptions<EndpointOf<id>> &
    BodyOptions<EndpointOf<id>>
>

/** Calls that act for the merchant as a whole: they are told of no customer by their headers. */
export type MerchantWideId = {
  [id in EndpointId]: Named<EndpointOf<id>['headers']> extends 'authorization'
    ? 'authorization' extends Named<EndpointOf<id>['headers']>
      ? id
      : never
    : never
}[EndpointId]

/** How one call is sent. */
type SendOptions = {
  /** Aborts this call. */
  signal?: AbortSignal | undefined
  /** Longest wait for one whole answer, instead of the client's. */
  timeoutMs?: number | undefined
}

type HeaderRules = Endpoints['headers']

type Named<rules extends HeaderRules> = rules['required'][number] | rules['optional'][number]

/** What a header carries, by its key. */
type HeaderValues = {
  /** The customer's wallet; together with `blockchain`. */
  wallet: string
  /** The chain of the customer's wallet. */
  blockchain: Blockchain
  /** Your own id of the customer. */
  userId: string
  /** The customer's session key, or a function that gives one: it is asked once more after a 401. */
  sessionKey: SessionKeySource
  /** The signature of the customer's sign-in. */
  signedMessage: string
  /** The customer's IP address. */
  clientIp: string
  /** The customer's device. Needed in practice with chargeback protection. */
  deviceId: string
  /** Default: the client's. */
  merchantId: string
}

type HeaderKey = keyof HeaderValues
/** The client has them itself: the one always, the other unless a call names another. */
type OwnHeader = 'authorization' | 'merchantId'

type HeaderOptions<rules extends HeaderRules> = Pick<
  HeaderValues,
  Extract<Exclude<rules['required'][number], OwnHeader>, HeaderKey>
> &
  ('merchantId' extends rules['required'][number] ? Partially<'merchantId'> : unknown) &
  Partially<Extract<Exclude<rules['optional'][number], 'wallet' | 'blockchain'>, HeaderKey>> &
  ('wallet' extends rules['optional'][number] ? WalletOrNone : unknown) &
  (rules extends { oneOf: infer groups extends readonly (readonly EndpointHeader[])[] }
    ? AnyOf<groups[number]>
    : unknown)

/** A wallet goes along with its blockchain, or neither does. */
type WalletOrNone =
  | Pick<HeaderValues, 'wallet' | 'blockchain'>
  | { wallet?: undefined; blockchain?: undefined }

type AnyOf<group extends readonly EndpointHeader[]> = group extends unknown
  ? Pick<HeaderValues, Extract<group[number], HeaderKey>>
  : never

type Partially<key extends HeaderKey> = { [name in key]?: HeaderValues[name] | undefined }

/** Parameters of paths that say whose they are: the client's merchant, unless a call names another. */
type MerchantParameter = 'merchantId' | 'merchantIdOrCreditSeed'

type PathOptions<endpoint extends Endpoints> = {
  [name in Exclude<Parameter<endpoint['path']>, MerchantParameter>]: name extends 'jobId'
    ? string | number
    : string
} & { [name in Extract<Parameter<endpoint['path']>, MerchantParameter>]?: string | undefined }

type Parameter<path extends string> = path extends `${string}{${infer name}}${infer rest}`
  ? name | Parameter<rest>
  : never

type QueryOptions<endpoint> = endpoint extends { query: infer schema extends z.core.$ZodType }
  ? OptionalWhenEmpty<'query', z.input<schema>>
  : unknown

type BodyOptions<endpoint> = endpoint extends { body: infer schema extends z.core.$ZodType }
  ? OptionalWhenEmpty<'body', WithoutMerchant<z.input<schema>>>
  : unknown

/** Each shape of a body, its merchant optional: the client names its own. */
type WithoutMerchant<body> = body extends { merchantId: string }
  ? Omit<body, 'merchantId'> & { merchantId?: string | undefined }
  : body

/** The order of a checkout JWT: optional on the wire, required here (PROTOCOL.md 11.8). */
export type OrderOptions<id extends EndpointId> = id extends 'createCheckoutJwt'
  ? {
      body: {
        /**
         * Your order's id, 1 to 256 visible characters in Unicode NFC. It makes the order pay once by card, however often a page load
         * asks for another JWT. Without it, each JWT could pay the order again. Draw it at random: 128 bits.
         */
        purchaseId: string
      }
    }
  : unknown

type OptionalWhenEmpty<name extends string, value> =
  AllOptional<value> extends true ? { [key in name]?: value | undefined } : { [key in name]: value }

/** Whether nothing need be given. */
type AllOptional<options> = Record<never, never> extends options ? true : false

/** One object type in the place of an intersection, as an editor shows it best; each member of a union by itself. */
type Flat<type> = type extends unknown ? { [key in keyof type]: type[key] } : never
