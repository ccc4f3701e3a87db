import type * as z from 'zod/mini'
import type { SessionKeySource } from '../api/readSessionKey.ts'
import type { Blockchain } from '../core/blockchains.ts'
import type { endpoints } from '../schema/endpoints/endpoints.ts'
import type { EndpointHeader } from '../schema/endpoints/routes.ts'
import type { loose } from '../schema/loose.ts'
import type { calls, EndpointId } from './calls.ts'

type Endpoints = (typeof endpoints)[number]

export type EndpointOf<id extends EndpointId> = Extract<Endpoints, { id: id }>

/** The methods of a merchant's client. Mapped over `calls`, so that each keeps its JSDoc. */
export type MerchantCalls = { readonly [id in keyof typeof calls]: MerchantCall<id> }

export type MerchantCall<id extends EndpointId> =
  AllOptional<MerchantCallOptions<id>> extends true
    ? (options?: MerchantCallOptions<id>) => Promise<MerchantCallAnswer<id>>
    : (options: MerchantCallOptions<id>) => Promise<MerchantCallAnswer<id>>

/** The options of a call: path parameters, header values, query, body, and how it is sent. */
export type MerchantCallOptions<id extends EndpointId> = Flat<
  PathOptions<EndpointOf<id>> &
    HeaderOptions<EndpointOf<id>['headers']> &
    QueryOptions<EndpointOf<id>> &
    BodyOptions<EndpointOf<id>> &
    ExtraFields<EndpointOf<id>> &
    OrderOptions<id> &
    SendOptions
>

/** The response of a call. Unknown fields are kept. `null` from `validateKyc` means that no record exists. */
export type MerchantCallAnswer<id extends EndpointId> =
  | LooseAnswer<EndpointOf<id>>
  | ((typeof calls)[id] extends { mayLack: true } ? null : never)

type LooseAnswer<endpoint> = endpoint extends { answer: infer schema extends z.core.$ZodType }
  ? z.output<ReturnType<typeof loose<schema>>>
  : never

/** The options that a browser may set. The customer's identity, the credentials and the merchant are not among them. */
export type AskedOptions<id extends EndpointId> = Flat<
  Omit<PathOptions<EndpointOf<id>>, MerchantParameter> &
    QueryOptions<EndpointOf<id>> &
    BodyOptions<EndpointOf<id>>
>

/** Calls that act for the merchant as a whole, without a customer. */
export type MerchantWideId = {
  [id in EndpointId]: EndpointOf<id>['headers'] extends { oneOf: unknown }
    ? never
    : [EndpointOf<id>['headers']['required'][number]] extends ['authorization']
      ? 'authorization' extends EndpointOf<id>['headers']['required'][number]
        ? id
        : never
      : never
}[EndpointId]

/** For calls with a body: the fields that redeemkit does not know. */
export type ExtraFields<endpoint> = endpoint extends { body: unknown }
  ? {
      /** Fields of your service that redeemkit does not know. They are added to the body after its check, and cannot replace its fields. */
      extraFields?: Readonly<Record<string, unknown>> | undefined
    }
  : unknown

/** Options of one request. */
export type SendOptions = {
  /** Aborts this call. */
  signal?: AbortSignal | undefined
  /** Timeout for the complete response. Default: the client's. */
  timeoutMs?: number | undefined
}

type HeaderRules = Endpoints['headers']

/** Header values by key. */
export type HeaderValues = {
  /** The customer's wallet. Pass `blockchain` with it. */
  wallet: string
  /** The chain of the customer's wallet. */
  blockchain: Blockchain
  /** Your own id for the customer. */
  userId: string
  /** The customer's session key, or a function that returns one. After a 401 the function is called once more. */
  sessionKey: SessionKeySource
  /** The signature of the customer's sign-in. */
  signedMessage: string
  /** The customer's IP address. */
  clientIp: string
  /** The customer's device. Chargeback protection requires it. */
  deviceId: string
  /** Your merchant id at the service. Default: the client's. */
  merchantId: string
}

type HeaderKey = keyof HeaderValues
/** The client sets these itself. A call may override `merchantId`. */
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

/** Wallet and blockchain are given together or not at all. */
type WalletOrNone =
  | Pick<HeaderValues, 'wallet' | 'blockchain'>
  | { wallet?: undefined; blockchain?: undefined }

type AnyOf<group extends readonly EndpointHeader[]> = group extends unknown
  ? Pick<HeaderValues, Extract<group[number], HeaderKey>>
  : never

type Partially<key extends HeaderKey> = { [name in key]?: HeaderValues[name] | undefined }

/** Path parameters that default to the client's merchant. */
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

/** Makes `merchantId` optional in each member of a union, because the client fills it in. */
type WithoutMerchant<body> = body extends { merchantId: string }
  ? Omit<body, 'merchantId'> & { merchantId?: string | undefined }
  : body

/** The order id of a checkout JWT. The protocol does not require it, but this client does (PROTOCOL.md 11.8). */
export type OrderOptions<id extends EndpointId> = id extends 'createCheckoutJwt'
  ? {
      body: {
        /**
         * Your order's id: 1 to 256 visible characters in Unicode NFC, preferably with 128 random bits. The order can be paid by card only
         * once, even if each page load requests a JWT. Without an id, each JWT could pay the order again.
         */
        purchaseId: string
      }
    }
  : unknown

type OptionalWhenEmpty<name extends string, value> =
  AllOptional<value> extends true ? { [key in name]?: value | undefined } : { [key in name]: value }

/** Whether every option is optional. */
type AllOptional<options> = Record<never, never> extends options ? true : false

/** Flattens an intersection into one object type, so that editors show its properties. */
type Flat<type> = type extends unknown ? { [key in keyof type]: type[key] } : never
