import { showText } from '../core/errors/showText.ts'
import {
  isWireErrorCode,
  type WireErrorCode,
  type WireRemedy,
  wireErrors,
} from '../core/errors/wireErrors.ts'
import type { Clock } from '../core/time/clock.ts'
import { type Links, type ServiceError, ServiceErrorBase, VerificationError } from './serviceError.ts'

/**
 * What to do about it, in words. True for a call that had no effect: once a submit has left, other errors speak
 * (PROTOCOL.md 7.4).
 */
const fixes: Record<WireRemedy, string> = {
  fix: 'Correct the request; the same one fails again.',
  logIn: 'Log in again or give a fresh session key, then make the call again.',
  stop: 'The same request fails again. Ask the operator of the service what this answer means.',
  backOff: 'Make the same call again later.',
  prepareAgain: 'Prepare the same order again (prepareRedeem with prepared), and sign again.',
  show: 'Show it to the user; the same request fails again until something changes.',
  challenge: 'Complete the challenge at its url, then send again with its transactionId.',
  wait: 'Make the same call again when retryAfterMs have passed; without retryAfterMs, in a minute.',
  verify:
    'The user has to be verified first, and the service named no link: ask the merchant or its support where. Then make the same call again.',
  tryAgain:
    'Make the same call again: this answer decided nothing. If it stays so, ask the operator of the service.',
  lookUp: 'The outcome is unknown: look at the chain before you send it again.',
}

/** What to do where the code knows better than its remedy who can do what. */
const fixesOfCodes: Partial<Record<WireErrorCode, string>> = {
  UNSUPPORTED_SUBTOTAL: "Give the subtotal in US dollars (cents), or in the chain's own USDC.",
  FORBIDDEN:
    'Use a credential that is allowed to do this; the merchant or the operator of the service can tell.',
  NOT_WHITELISTED:
    'The merchant asks the service to whitelist this contract and function (POST /api/merchant/program). Once that is approved, make the call again.',
  FACTORY_NOT_ALLOWED:
    'Deploy the wallet first, or use another one; the operator of the service can allow its factory.',
  GEO_BLOCKED: 'Only the merchant or the service can exempt a customer who is there.',
  NOT_FOUND: 'Check baseUrl, and the names and ids in the request.',
  METHOD_NOT_ALLOWED: 'Check baseUrl: this address takes no such call.',
  INTENT_MISMATCH: 'This nonce stands for another purchase. Look that one up (findRedeem) before you go on.',
  ORDER_UNDERWAY:
    'The service reports another payment of this order in flight. Look the order up on chain (findRedeem), and pay nothing else for it until that one has ended.',
  ORDER_ALREADY_PAID:
    'The service reports this order as paid. Look the order up on chain (findRedeem) before you go on; do not sign another permit for it.',
  ORDER_CANCELLED:
    'The service reports that the customer cancelled this order. Look the order up on chain (findRedeem). To sell it after all, use another purchaseId.',
  AMBIGUOUS_INTENT: 'This salt or id already belongs to another purchase. Look that one up before you go on.',
  PAYMENT_STATE: 'Look the payment up: its state allows no such thing.',
  SUBSCRIPTION_STATE: 'Look the subscription up: its state allows no such thing.',
  VERIFICATION_STATE: 'Look the withdrawer up: the state of its verification allows no such thing.',
  INSUFFICIENT_CREDITS:
    'Add credits to the wallet, or pay a part in USDC (usdcAmount), then make the call again.',
  PAYMENT_METHOD_IN_USE: 'Use another account, or remove it from the other withdrawer first.',
  CUSTOMER_BLOCKED: 'Only the service can lift the block: the customer asks the merchant or its support.',
}

/** What other services say without a code, on a 400, 412 or 422 (PROTOCOL.md 7.2, observed). */
const observed: readonly (readonly [RegExp, WireErrorCode])[] = [
  [/not have enough credits/i, 'INSUFFICIENT_CREDITS'],
  [/exceeds max credits/i, 'EXCEEDS_AUTHORIZED'],
  [/insufficient funds to redeem/i, 'SIMULATION_FAILED'],
]

const byStatus: Record<number, WireErrorCode> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHENTICATED',
  402: 'CARD_DECLINED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'UNAVAILABLE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  423: 'CUSTOMER_BLOCKED',
  429: 'RATE_LIMITED',
  451: 'VERIFICATION_REQUIRED',
  503: 'UNAVAILABLE',
}

/**
 * Turns an answer with an error status into its error, by the table `wireErrors` (PROTOCOL.md 7.2).
 *
 * A body that is no error body, a code that is not in the table, or one that belongs to another status, falls back to
 * what the status says.
 *
 * @param body the parsed answer, of any type, as `scrub` leaves it
 */
export function readServiceError(
  status: number,
  body: unknown,
  options: readServiceError.Options = {},
): ServiceError {
  const record = asRecord(body)
  const said = [...new Set(textsOf(body))]
  const find = (key: string) => asRecord(record.details)[key] ?? record[key] ?? asRecord(record.error)[key]
  const paymentId = asText(find('paymentId'))
  const bankCode = paymentId === undefined ? undefined : asBankCode(record.code, status)
  const challenge = {
    transactionId: asText(find('transactionId')),
    url: asLink(find('url')),
    creq: asText(find('creq')),
  }
  const wireCode =
    [record.code, ...said].find((code) => isCodeOf(status, code)) ??
    (status === 412 && challenge.transactionId && challenge.url ? 'CHALLENGE_REQUIRED' : undefined) ??
    // A bank's no of other services: a 400 about a payment, with the bank's own code.
    (status === 400 && bankCode !== undefined ? 'CARD_DECLINED' : undefined) ??
    ([400, 412, 422].includes(status) ? observedCode(said) : undefined) ??
    byStatus[status] ??
    (status >= 500 ? 'INTERNAL' : undefined)
  const row = wireCode === undefined ? undefined : wireErrors[wireCode]
  const code = wireCode ?? (isCode(record.code) ? record.code : `HTTP_${status}`)
  const words = shownWords(said)
  const issues = Array.isArray(record.issues) ? record.issues.flatMap(toPath) : namedFields(record)
  const { retryAfter, now = Date.now } = options
  const requestId = [record.requestId, find('requestId'), find('debugId'), options.requestId].find(
    (id) => typeof id === 'string' && id !== '',
  )
  const links = wireCode === 'VERIFICATION_REQUIRED' ? verificationLinks(record) : undefined
  const Class = links ? VerificationError : ServiceErrorBase
  const error = new Class(
    `The service answered ${status} ${code}${words && `: ${showText(words)}`}.`,
    (links && fixOfLinks(links)) ?? (wireCode && fixesOfCodes[wireCode]) ?? fixes[row?.remedy ?? 'stop'],
    {
      name: row?.name ?? 'UnknownServiceError',
      code,
      status,
      remedy: row?.remedy ?? 'stop',
      details: record.details ?? (bankCode === undefined ? declineIn(record.error) : bankDetails(record)),
      issues: issues.slice(0, 100),
      // Found as text just above.
      requestId: (requestId as string | undefined)?.slice(0, 200),
      retryAfterMs: retryAfter ? waitOf(retryAfter, now) : undefined,
      revertReason: asText(find('revertReason')),
      revertData: asBytes(find('revertData')),
      challenge: code === 'CHALLENGE_REQUIRED' ? challenge : undefined,
      paymentId,
      hash: wireCode === 'ORDER_ALREADY_PAID' ? asBytes32(find('hash')) : undefined,
      nonce: wireCode === 'ORDER_ALREADY_PAID' ? asBytes32(find('nonce')) : undefined,
      ...links,
    },
  )
  // The name is read from the table's row of this very code, which is what the union of types says.
  return error as ServiceError
}

export declare namespace readServiceError {
  type Options = {
    /** Value of the `retry-after` header. */
    retryAfter?: string | null | undefined
    /** Request id from a header, when the body has none. */
    requestId?: string | null | undefined
    now?: Clock | undefined
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  // Anything but an object has no fields to offer.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asBytes(value: unknown): `0x${string}` | undefined {
  // The pattern has proved the 0x.
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2}){0,4096}$/i.test(value)
    ? (value as `0x${string}`)
    : undefined
}

function asBytes32(value: unknown): `0x${string}` | undefined {
  const bytes = asBytes(value)
  return bytes?.length === 66 ? bytes : undefined
}

/** A link that a user may be sent to: http or https only, never script, and no name of another site before an `@`. */
function asLink(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return undefined
  const { username, password, href } = new URL(value)
  if (username + password !== '') return undefined
  return /^[\x21-\x7e]+$/.test(value) ? value : href
}

/** What a card's bank answers: two or three digits or letters (ISO 8583, field 39); a repeated status is none. */
function asBankCode(code: unknown, status: number): string | undefined {
  const text = String(code)
  return /^[0-9A-Z]{2,3}$/.test(text) && text !== String(status) ? text : undefined
}

/** The facts of a bank's no, which other services put beside the words. */
function bankDetails({ paymentId, code, action, protection }: Record<string, unknown>): unknown {
  return { paymentId, declineCode: code, action, protection }
}

/** Why a card was declined, where other services say it inside of `error`. */
function declineIn(error: unknown): unknown {
  const declineCode = asText(asRecord(error).decline_code)
  return declineCode === undefined ? undefined : { declineCode }
}

/**
 * Where a 451 sends the user, whichever part of the body says so and however it writes it: `verificationLink`,
 * `verification_url`, `redirectUrl`; a bare `link` or `url` inside of `verification`, or of the body, is the first of the two.
 */
function verificationLinks(body: Record<string, unknown>): Links {
  const { details, error, data, verification } = body
  const parts = [details, body, error, data, verification, asRecord(details).verification].map(asRecord)
  const find = (pattern: RegExp) => {
    const found = parts.flatMap((part) =>
      Object.entries(part).flatMap(([key, value]) => (pattern.test(key) ? (asLink(value) ?? []) : [])),
    )
    return found[0]
  }
  const reasons = parts.map((part) => part.rejectionReasons).find(Array.isArray)
  return {
    verificationLink: find(/^verification_?(?:link|url)$/i) ?? find(/^(?:link|url)$/i),
    redirectLink: find(/^redirect_?(?:link|url)$/i),
    rejectionReasons: (reasons ?? [])
      .flatMap((reason: unknown) => asText(reason)?.slice(0, 200) ?? [])
      .slice(0, 20),
  }
}

/** The links stand in fields of their own, and not in the message: whoever has one acts as the user. */
function fixOfLinks({ verificationLink, redirectLink }: Links): string | undefined {
  if (verificationLink === undefined) return undefined
  return `Send the user to verificationLink${redirectLink === undefined ? '' : ', then to redirectLink'}. Afterwards make the same call again.`
}

/** Paths of the fields that a validator named. */
function namedFields({ details, fields, errors }: Record<string, unknown>): string[] {
  return [details, fields, errors].flatMap((one) => faultsIn(one).map(([key]) => key))
}

function toPath(issue: unknown): string[] {
  const path = typeof issue === 'string' ? issue : asRecord(issue).path
  const text = Array.isArray(path)
    ? path.filter((key) => typeof key === 'string' || typeof key === 'number').join('.')
    : path
  return typeof text === 'string' ? [text.slice(0, 200)] : []
}

/** Where services put words, the telling ones often beside a general `message` (PROTOCOL.md 7.1). */
const wordFields = [
  'message',
  'details',
  'detail',
  'reason',
  'error',
  'errors',
  'error_description',
  'msg',
  'fields',
]

/** Every text of a body that speaks: a bare text, those fields of an object, the same inside of them, and lists of all these. */
function textsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => textsOf(one, depth + 1))
  const record = asRecord(value)
  const texts = wordFields.flatMap((field) => textsOf(record[field], depth + 1))
  if (texts.length > 0) return texts
  const faults = faultsIn(record).map(([key, words]) => `${key}: ${words}`)
  return faults.length > 0 ? faults.slice(0, 5) : [asText(record.title) ?? ''].filter(Boolean)
}

/** The fields of `{ "body.subtotal": { message } }` and of `{ "subtotal": [text] }`, as validators of other services name them. */
function faultsIn(fields: unknown): [key: string, words: string][] {
  return Object.entries(asRecord(fields)).flatMap(([key, one]): [string, string][] => {
    const words = Array.isArray(one) ? one[0] : asRecord(one).message
    return typeof words === 'string' && !Array.isArray(fields) ? [[key.slice(0, 200), words]] : []
  })
}

/** All that was said, but what another text says as well; of several texts none so long that it hides the next. */
function shownWords(said: readonly string[]): string {
  const telling = said.filter((text) => !said.some((other) => other !== text && other.includes(text)))
  const room = telling.length > 1 ? 170 : Infinity
  return telling.map((text) => (text.length > room ? `${text.slice(0, room)}…` : text)).join(': ')
}

function observedCode(said: readonly string[]): WireErrorCode | undefined {
  return observed.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1]
}

/** Whether it is a code of the table that belongs to the status. */
function isCodeOf(status: number, code: unknown): code is WireErrorCode {
  return isWireErrorCode(code) && wireErrors[code].status === status
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
}

function waitOf(retryAfter: string, now: Clock): number | undefined {
  const ms = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
