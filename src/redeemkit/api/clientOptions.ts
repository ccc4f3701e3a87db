import type { Blockchain, Environment } from '../core/blockchains.ts'
import { blockchains, environments, isEvmBlockchain } from '../core/blockchains.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { isSecureUrl } from '../core/isSecureUrl.ts'
import { checkOrderId, type InvalidOrderIdError } from '../core/orderId.ts'
import type { Clock } from '../core/time/clock.ts'

/** Options of a payments client. */
export type ClientOptions = {
  /** Base address of the service, https, with or without its closing `/api`. Plain http only to this machine and to names that no public resolver knows. */
  baseUrl: string
  merchantId: string
  /** Chain of the customer; each call may name another. */
  blockchain: Blockchain
  environment?: Environment | undefined
  /** The customer's wallet; each call may name another. */
  wallet?: string | undefined
  /** The merchant's own name of the customer, for calls that ask for it (Pix); each of them may name another. */
  userId?: string | undefined
  /** Session key from the merchant's server, or a function that fetches one: it is asked once more after a 401. */
  sessionKey?: string | (() => string | Promise<string>) | undefined
  /** A signed message kept from an earlier `login` of `wallet` on `blockchain`. */
  signedMessage?: string | undefined
  /** Sent as `x-device-id` with redeem calls; needed in practice with chargeback protection. */
  deviceId?: string | undefined
  /** First part of the service's header names. Default `x-svc-`. */
  headerPrefix?: string | undefined
  fetch?: ((url: string, init: RequestInit) => Response | Promise<Response>) | undefined
  /** Longest wait for one whole answer, body included. Default 30_000. */
  timeoutMs?: number | undefined
  /** Aborts every call of this client. */
  signal?: AbortSignal | undefined
  /** Longest answer that is read. Default 1_048_576. */
  maxAnswerBytes?: number | undefined
  /** Told of each attempt before it leaves, without secrets. What it throws is ignored. */
  onRequest?: ((request: RequestInfo) => void) | undefined
  /** Told how each attempt ended, without secrets. What it throws is ignored. */
  onResponse?: ((response: ResponseInfo) => void) | undefined
  /** `false` never sends anything twice. */
  retry?: RetryOptions | false | undefined
  now?: Clock | undefined
  sleep?: ((ms: number) => Promise<void>) | undefined
}

export type RetryOptions = {
  /** Attempts in all, the first included. Default 3. */
  attempts?: number | undefined
  /** Wait before the second attempt; doubled each time, less up to a half by chance. Default 500. */
  baseMs?: number | undefined
  /** Longest wait that a `retry-after` is obeyed for; a longer one is an error at once. Default 30_000. */
  maxWaitMs?: number | undefined
  /** Chance between 0 and 1 that spreads the waits. Default `Math.random`. */
  random?: (() => number) | undefined
}

/** One attempt, as `onRequest` is told of it. Credentials read `[removed]`. */
export type RequestInfo = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  attempt: number
}

/** The end of one attempt, as `onResponse` is told of it. */
export type ResponseInfo = {
  method: string
  url: string
  attempt: number
  ms: number
  /** HTTP status; absent when no answer came. */
  status?: number | undefined
  /** Name of the error that the attempt ended with. */
  errorName?: string | undefined
}

const clientOptions: OptionKinds<ClientOptions> = {
  baseUrl: 'any',
  merchantId: 'any',
  blockchain: 'any',
  environment: 'any',
  wallet: 'any',
  userId: 'any',
  sessionKey: 'any',
  signedMessage: 'any',
  deviceId: 'any',
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
}
const retryOptions: OptionKinds<RetryOptions> = {
  attempts: 'any',
  baseMs: 'any',
  maxWaitMs: 'any',
  random: 'function?',
}

/**
 * Checks what a client is made of.
 *
 * @returns the base address without `/api` and slashes at its end
 * @throws {@link InvalidOptionError} naming the option, {@link InvalidOrderIdError} for the merchant id; credentials are never shown
 */
export function checkClientOptions(options: ClientOptions): string {
  if ('apiKey' in Object(options))
    throw new InvalidOptionError('A client of a browser takes no API key.', {
      field: 'apiKey',
      fix: 'Leave it out, and keep it on your server: whoever sees it can act for the merchant. Customers are told apart by sessionKey and signedMessage.',
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
    'Give the wallet whose signedMessage it is.',
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
    `Use one of ${blockchains.join(', ')}, by name and in small letters.`,
    typeof blockchain === 'string' || typeof blockchain === 'number' ? blockchain : undefined,
  )
}

/** An EVM wallet must be an address; others must be fit for a header. */
export function checkWallet(wallet: string, blockchain: Blockchain): void {
  const pattern = isEvmBlockchain(blockchain) ? /^0x[0-9a-fA-F]{40}$/ : /^[\x21-\x7e]{1,256}$/
  check(
    typeof wallet === 'string' && pattern.test(wallet),
    'wallet',
    `Give the address of a wallet on ${blockchain}.`,
    // Anything else may be a key in the wrong place.
    typeof wallet === 'string' && /^(?!0x)|.{48}/s.test(wallet) ? undefined : wallet,
  )
}

/** Text that a header can carry, when given at all. Never shown: it is a credential. */
export function checkHeader(text: unknown, field: string): void {
  check(text === undefined || isHeaderText(text), field, 'Give printable ASCII text of one line.')
}

export function isHeaderText(text: unknown): boolean {
  return typeof text === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
}

export function checkCount(value: unknown, field: string): void {
  check(
    value === undefined || (Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31),
    field,
    'Give a whole number between 1 and 2^31 - 1.',
    value,
  )
}

function checkBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  // The address is not shown before it is known to hold no credentials.
  check(
    url !== undefined,
    'baseUrl',
    'Give the address of the service as text, with its protocol: "https://service.example".',
  )
  check(
    url.origin !== 'null',
    'baseUrl',
    'Give it with its protocol: "https://service.example", or "http://localhost:3000" for this machine.',
  )
  check(url.username + url.password === '', 'baseUrl', 'Give it without a user name and a password.')
  check(isSecureUrl(url), 'baseUrl', 'Use https: plain http is taken for this machine only.', url.origin)
  check(url.search + url.hash === '', 'baseUrl', 'Give it without a query and a fragment.')
  // Every path begins with /api.
  return (url.origin + url.pathname).replace(/(?:\/+api)?\/*$/, '')
}

function check(condition: boolean, field: string, fix: string, value?: unknown): asserts condition {
  if (!condition)
    throw new InvalidOptionError(
      `${field} ${value === undefined ? 'cannot be used' : `${showValue(value)} cannot be used`}.`,
      { field, fix },
    )
}
