import type * as z from 'zod/mini'
import type { Blockchain, Environment } from '../core/blockchains.ts'
import type { Clock } from '../core/time/clock.ts'
import type { ClientOptions } from './clientOptions.ts'

/** A client of the payments service: plain, frozen data with the means to call it. */
export type PaymentsClient = {
  /** Without `/api` and slashes at its end. */
  readonly baseUrl: string
  readonly merchantId: string
  readonly blockchain: Blockchain
  readonly environment: Environment | undefined
  /** The wallet that calls stand for when they name none. */
  readonly wallet: string | undefined
  readonly now: Clock
  /** Sends one call and takes its answer by a schema. The endpoints are made of it. */
  readonly request: <schema extends z.core.$ZodType>(call: Call<schema>) => Promise<z.output<schema>>
  /** Keeps the credential of a login: later calls of that wallet on that chain carry it, until it expires. */
  readonly keepSignedMessage: (kept: KeptMessage) => void
  /**
   * A client with other options, which shares what this one keeps: signed messages within one base address and environment.
   * Another base address gets no session key unless it is given again.
   */
  readonly with: (options: Partial<ClientOptions>) => PaymentsClient
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

/** One call of the service. */
export type Call<schema extends z.core.$ZodType = z.core.$ZodType> = CallOptions & {
  method: 'GET' | 'POST'
  /** Path with its query, from `/api` on. */
  path: string
  body?: unknown
  /** Texts of the body that no error may repeat. */
  secrets?: readonly string[] | undefined
  /** What the answer must be. Where it is an object without fields, nothing is expected, and an empty answer will do. */
  answer: schema
  /**
   * Which headers go along: `none`, the `wallet` and its blockchain, or these and every credential that the client has;
   * where no wallet is known, a session key alone. Default `all`.
   */
  headers?: 'none' | 'wallet' | 'all' | undefined
  /** Whether the device id goes along. */
  device?: boolean | undefined
  /** A signed message instead of the kept one. */
  signedMessage?: string | undefined
  /** Whether it may be sent again when nobody knows whether it was done. Never for a submit. */
  repeatable: boolean
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
