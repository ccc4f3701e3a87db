import {
  type Blockchain,
  blockchains,
  type Environment,
  environments,
  isEvmBlockchain,
} from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/clock.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { checkOrderId } from '../core/orderId.ts'
import { isSecureUrl, parseUrl } from '../core/parseUrl.ts'

/** Options of a payments client. */
export type ClientOptions = {
  /**
   * Base URL of the service, with or without a trailing `/api`. Must be https, except for localhost and for host names without a
   * public address.
   */
  baseUrl: string
  /** Your merchant id at the service. */
  merchantId: string
  /** The customer's chain. Each call can override it. */
  blockchain: Blockchain
  /**
   * `sandbox` for test networks, `prod` for main networks. Together with `blockchain` it determines the chain id, and calls for any
   * other chain are rejected. Without it, pass `chainId` or a `publicClient` to calls that need a chain.
   */
  environment?: Environment | undefined
  /** The customer's wallet. Each call can override it. */
  wallet?: string | undefined
  /** Your own id for the customer, for calls that need it (Pix). Each call can override it. */
  userId?: string | undefined
  /** Session key from the merchant's server, or a function that fetches one. After a 401 the function is called once more. */
  sessionKey?: string | (() => string | Promise<string>) | undefined
  /** A signed message from an earlier `login` of `wallet` on `blockchain`. */
  signedMessage?: string | undefined
  /** Sent as `x-device-id` with redeems, payments by card and subscriptions. Chargeback protection requires it. */
  deviceId?: string | undefined
  /** Prefix of the service's header names. Default `x-svc-`. */
  headerPrefix?: string | undefined
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Timeout for one complete response, including its body. Default 30_000. */
  timeoutMs?: number | undefined
  /** Aborts every call of this client. */
  signal?: AbortSignal | undefined
  /** Maximum size of a response. Default 1_048_576. */
  maxAnswerBytes?: number | undefined
  /** Called before each attempt, without secrets. Its errors are ignored. */
  onRequest?: ((request: RequestInfo) => void) | undefined
  /** Called after each attempt, without secrets. Its errors are ignored. */
  onResponse?: ((response: ResponseInfo) => void) | undefined
  /** `false` disables retries. */
  retry?: RetryOptions | false | undefined
  /** Clock, in milliseconds since 1970. Default `Date.now`. Pass `sandbox.now` after moving the sandbox's clock. */
  now?: Clock | undefined
  /** Waits between attempts. Default: a timer. */
  sleep?: ((ms: number) => Promise<void>) | undefined
}

export type RetryOptions = {
  /** Total number of attempts. Default 3. */
  attempts?: number | undefined
  /** Milliseconds before the second attempt, doubled each time and reduced at random by up to half. Default 500. */
  baseMs?: number | undefined
  /** Longest `retry-after` to wait for, in milliseconds. If the service asks for more, the call fails immediately. Default 30_000. */
  maxWaitMs?: number | undefined
  /** Returns a random number from 0 to 1, so that clients do not all retry at the same time. Default `Math.random`. */
  random?: (() => number) | undefined
}

/** An attempt as passed to `onRequest`. Credentials read `[removed]`. */
export type RequestInfo = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  attempt: number
}

/** The result of an attempt as passed to `onResponse`. */
export type ResponseInfo = {
  method: string
  url: string
  attempt: number
  ms: number
  /** HTTP status; absent if no response arrived. */
  status?: number | undefined
  /** Name of the attempt's error. */
  errorName?: string | undefined
}

export const serviceOptions = {
  baseUrl: 'any',
  merchantId: 'any',
  environment: 'any',
  headerPrefix: 'any',
  fetch: 'function?',
  timeoutMs: 'any',
  signal: 'object?',
  maxAnswerBytes: 'any',
  onRequest: 'function?',
  onResponse: 'function?',
  retry: 'any',
  now: 'any',
  sleep: 'function?',
} as const satisfies Partial<OptionKinds<ClientOptions>>
const clientOptions: OptionKinds<ClientOptions> = {
  ...serviceOptions,
  blockchain: 'any',
  wallet: 'any',
  userId: 'any',
  sessionKey: 'any',
  signedMessage: 'any',
  deviceId: 'any',
}
const retryOptions: OptionKinds<RetryOptions> = {
  attempts: 'any',
  baseMs: 'any',
  maxWaitMs: 'any',
  random: 'function?',
}

/** Returns the base URL without a trailing `/api` or slash. Errors never show a credential. */
export function checkClientOptions(options: ClientOptions): string {
  if ('apiKey' in Object(options))
    throw new InvalidOptionError('A browser client does not accept an API key.', {
      field: 'apiKey',
      fix: 'Keep the API key on your server: anyone who has it can act for the merchant. Identify customers with `sessionKey` and `signedMessage`.',
    })
  const { merchantId, blockchain, environment, wallet, sessionKey, signedMessage, timeoutMs, retry } = options
  checkOptions(options, clientOptions)
  checkOrderId(merchantId, 'merchantId')
  checkBlockchain(blockchain)
  if (wallet !== undefined) checkWallet(wallet, blockchain)
  check(
    environment === undefined || environments.includes(environment),
    'environment',
    `Use one of ${environments.join(', ')}.`,
  )
  if (typeof sessionKey !== 'function') checkHeader(sessionKey, 'sessionKey')
  checkHeader(signedMessage, 'signedMessage')
  checkHeader(options.deviceId, 'deviceId')
  checkHeader(options.userId, 'userId')
  check(
    signedMessage === undefined || wallet !== undefined,
    'wallet',
    'Pass the `wallet` that signed `signedMessage`.',
  )
  checkCount(timeoutMs, 'timeoutMs')
  checkCount(options.maxAnswerBytes, 'maxAnswerBytes')
  if (retry) {
    checkOptions(retry, retryOptions, 'retry')
    for (const key of ['attempts', 'baseMs', 'maxWaitMs'] as const) checkCount(retry[key], `retry.${key}`)
  }
  return checkBaseUrl(options.baseUrl)
}

export function checkBlockchain(blockchain: Blockchain): void {
  check(
    blockchains.includes(blockchain),
    'blockchain',
    `Use one of ${blockchains.join(', ')}, in lower case.`,
    typeof blockchain === 'string' || typeof blockchain === 'number' ? blockchain : undefined,
  )
}

/** An EVM wallet must be an address; any other wallet must fit in a header. */
export function checkWallet(wallet: string, blockchain: Blockchain): void {
  const pattern = isEvmBlockchain(blockchain) ? /^0x[0-9a-fA-F]{40}$/ : /^[\x21-\x7e]{1,256}$/
  check(
    typeof wallet === 'string' && pattern.test(wallet),
    'wallet',
    `Pass the address of a wallet on ${blockchain}.`,
    // Show only a mistyped address: any other value may be a misplaced key.
    typeof wallet === 'string' && /^(?!0x)|.{48}/s.test(wallet) ? undefined : wallet,
  )
}

/** The error does not show the text, which may be a credential. */
export function checkHeader(text: unknown, field: string): void {
  check(text === undefined || isHeaderText(text), field, 'Pass one line of printable ASCII text.')
}

export function isHeaderText(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

export function checkCount(value: unknown, field: string): void {
  check(
    value === undefined || (Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31),
    field,
    'Pass a whole number between 1 and 2^31 - 1.',
    value,
  )
}

function checkBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl) : undefined
  // The errors do not show the URL, which may contain credentials.
  check(
    url !== undefined,
    'baseUrl',
    'Pass the URL of the service as text, with its protocol: "https://service.example".',
  )
  check(
    url.origin !== 'null',
    'baseUrl',
    'Include the protocol: "https://service.example", or "http://localhost:3000".',
  )
  check(url.username + url.password === '', 'baseUrl', 'Remove the user name and password.')
  check(isSecureUrl(url), 'baseUrl', 'Use https. Plain http is accepted for localhost only.', url.origin)
  check(url.search + url.hash === '', 'baseUrl', 'Remove the query and the fragment.')
  // the path of every call starts with /api
  return (url.origin + url.pathname).replace(/(?:\/+api)?\/*$/, '')
}

function check(condition: boolean, field: string, fix: string, value?: unknown): asserts condition {
  if (!condition)
    throw new InvalidOptionError(
      `${field} ${value === undefined ? '' : `${showValue(value)} `}cannot be used.`,
      { field, fix },
    )
}
