import type { Clock } from '../core/clock.ts'
import { showKey, showText } from '../core/errors/showValue.ts'
import {
  isWireErrorCode,
  type WireErrorCode,
  type WireRemedy,
  wireErrors,
} from '../core/errors/wireErrors.ts'
import { parseUrl } from '../core/parseUrl.ts'
import { type Links, type ServiceError, ServiceErrorBase, VerificationError } from './errors.ts'

/** For a call that changed nothing. A submit that was sent has its own errors (PROTOCOL.md 7.4). */
const fixes: Record<WireRemedy, string> = {
  fix: 'Correct the request. Repeating it unchanged fails again.',
  logIn: 'Log in again, pass a fresh session key, or check the API key. Then repeat the call.',
  stop: 'Do not repeat the request: it fails again. Contact the operator of the service about this response.',
  backOff: 'Repeat the call later.',
  prepareAgain: 'Prepare the same order again (prepareRedeem with prepared), and sign again.',
  show: 'Show this error to the user. The same request fails until something changes.',
  challenge: 'Complete the challenge at its url, then send the request again with its transactionId.',
  wait: 'Repeat the call after retryAfterMs, or after a minute if it is undefined.',
  verify:
    'The user must be verified first, but the service sent no link. Get the link from the merchant, then repeat the call.',
  tryAgain:
    'Repeat the call: it was neither accepted nor rejected. If it keeps failing, contact the operator of the service.',
  lookUp: 'The outcome is unknown. Check the chain before you send the request again.',
}

const fixesOfCodes: Partial<Record<WireErrorCode, string>> = {
  UNSUPPORTED_SUBTOTAL: "Pass the subtotal in US cents, or in the chain's USDC.",
  FORBIDDEN:
    'Use a credential with permission for this. Contact the merchant or the operator of the service.',
  NOT_WHITELISTED:
    'Have the merchant request that this contract and function are whitelisted (POST /api/merchant/program). Repeat the call once that is approved.',
  FACTORY_NOT_ALLOWED:
    'Deploy the wallet first, or use another one. The operator of the service can allow its factory.',
  GEO_BLOCKED: 'Contact the merchant or the service: only they can exempt this customer.',
  NOT_FOUND: 'Check baseUrl, merchantId, and the other names and ids in the request.',
  METHOD_NOT_ALLOWED: 'Check baseUrl: this URL does not support the method.',
  INTENT_MISMATCH:
    'This nonce belongs to another purchase. Look up that purchase (findRedeem) before you continue.',
  ORDER_UNDERWAY:
    'The service reports that another payment of this order is in progress. Look up the order on chain (findRedeem), and do not pay for it again until that payment has ended.',
  ORDER_ALREADY_PAID:
    'The service reports this order as paid. Look up the order on chain (findRedeem) before you continue, and do not sign another permit for it.',
  ORDER_CANCELLED:
    'The service reports that the customer cancelled this order. Look up the order on chain (findRedeem). To sell it anyway, use another purchaseId.',
  AMBIGUOUS_INTENT:
    'This salt or id already belongs to another purchase. Look up that purchase before you continue.',
  PAYMENT_STATE: 'Look up the payment: its state does not allow this.',
  SUBSCRIPTION_STATE: 'Look up the subscription: its state does not allow this.',
  VERIFICATION_STATE: 'Look up the withdrawer: the state of its verification does not allow this.',
  CARD_VALIDATION_EXPIRED:
    'Have the customer enter the security code of this card again, in a payment with the card form.',
  ACCOUNT_VALIDATION_EXPIRED: 'Have the customer connect the bank account again, then repeat the call.',
  INSUFFICIENT_CREDITS:
    'Add credits to the wallet, or pay part of it in USDC (usdcAmount), then repeat the call.',
  PAYMENT_METHOD_IN_USE: 'Use another account, or remove this account from the other withdrawer first.',
  CUSTOMER_BLOCKED: 'Have the customer contact the merchant: only the service can lift the block.',
}

/** Messages that other services send without a code, with a 400, 412 or 422 (PROTOCOL.md 7.2, observed). */
const observed: readonly (readonly [RegExp, WireErrorCode])[] = [
  [/not have enough credits/i, 'INSUFFICIENT_CREDITS'],
  [/exceeds max credits/i, 'EXCEEDS_AUTHORIZED'],
  [/insufficient funds to redeem/i, 'SIMULATION_FAILED'],
]

/** These statuses concern a card or a bank account only if the message says so: a gateway may use them for any response. */
const onlyIfSaid: Record<number, RegExp> = { 410: /card|cvv/i, 428: /account|verif/i }

/** Statuses that are not in `wireErrors`, or whose first row there is too specific. */
const byStatus: Record<number, WireErrorCode | undefined> = {
  408: 'UNAVAILABLE',
  409: undefined,
  412: undefined,
  422: 'INVALID_REQUEST',
  423: 'CUSTOMER_BLOCKED',
}

function codeOfStatus(status: number): WireErrorCode | undefined {
  if (status in byStatus) return byStatus[status]
  const codes = Object.keys(wireErrors).filter(isWireErrorCode)
  return codes.find((code) => wireErrors[code].status === status) ?? (status >= 500 ? 'INTERNAL' : undefined)
}

/** If the body has no known code of this status, the status decides (PROTOCOL.md 7.2). `body` must have passed `scrub`. */
export function readServiceError(
  status: number,
  body: unknown,
  options: readServiceError.Options = {},
): ServiceError {
  const record = asRecord(body)
  const said = [...new Set(textsOf(body))]
  const find = (key: string) => asRecord(record.details)[key] ?? record[key] ?? asRecord(record.error)[key]
  const codes = [record, asRecord(record.error), asRecord(record.details)].map(({ code }) => code)
  const paymentId = asText(find('paymentId'))
  const bankCode = paymentId === undefined ? undefined : asBankCode(record.code, status)
  const challenge = {
    transactionId: asText(find('transactionId')),
    url: asLink(find('url')),
    creq: asText(find('creq')),
  }
  const wireCode =
    [...codes, ...said].find((code) => isCodeOf(status, code)) ??
    (status === 412 && challenge.transactionId && challenge.url ? 'CHALLENGE_REQUIRED' : undefined) ??
    // some services report a bank's decline as a 400 with the bank's code and the payment's id
    (status === 400 && bankCode !== undefined ? 'CARD_DECLINED' : undefined) ??
    ([400, 412, 422].includes(status) ? observedCode(said) : undefined) ??
    (onlyIfSaid[status]?.test(said.join()) === false ? undefined : codeOfStatus(status))
  const row = wireCode === undefined ? undefined : wireErrors[wireCode]
  const code = wireCode ?? codes.find(isCode) ?? `HTTP_${status}`
  const reason = shownText(said)
  const issues = Array.isArray(record.issues) ? record.issues.flatMap(toPath) : namedFields(record)
  const { retryAfter, now = Date.now } = options
  const requestId = [record.requestId, find('requestId'), find('debugId'), options.requestId].find(
    (id) => typeof id === 'string' && id !== '',
  )
  const links = wireCode === 'VERIFICATION_REQUIRED' ? verificationLinks(record) : undefined
  const Class = links ? VerificationError : ServiceErrorBase
  const error = new Class(
    `The service returned ${status} ${code}${reason && `: ${showText(reason)}`}.`,
    (links && fixOfLinks(links)) ??
      fixOfField(wireCode, issues) ??
      (wireCode && fixesOfCodes[wireCode]) ??
      fixes[row?.remedy ?? 'stop'],
    {
      name: row?.name ?? 'UnknownServiceError',
      code,
      status,
      remedy: row?.remedy ?? 'stop',
      details: record.details ?? (bankCode === undefined ? declineIn(record.error) : bankDetails(record)),
      issues: issues.slice(0, 100),
      // Text, as checked above.
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
  // the name comes from the row of this code, as the union says
  return error as ServiceError
}

export declare namespace readServiceError {
  type Options = {
    retryAfter?: string | null | undefined
    requestId?: string | null | undefined
    now?: Clock | undefined
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  // Other values have no fields.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function asBytes(value: unknown): `0x${string}` | undefined {
  // The pattern requires 0x.
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2}){0,4096}$/i.test(value)
    ? (value as `0x${string}`)
    : undefined
}

function asBytes32(value: unknown): `0x${string}` | undefined {
  const bytes = asBytes(value)
  return bytes?.length === 66 ? bytes : undefined
}

/** A safe link is http or https, without a user name that could imitate another site. */
function asLink(value: unknown): string | undefined {
  const url = typeof value === 'string' && /^https?:\/\//i.test(value) ? parseUrl(value) : undefined
  if (typeof value !== 'string' || url === undefined) return undefined
  const { username, password, href } = url
  if (username + password !== '') return undefined
  return /^[\x21-\x7e]+$/.test(value) ? value : href
}

/** Two or three digits or letters (ISO 8583, field 39). Some services repeat the HTTP status there. */
function asBankCode(code: unknown, status: number): string | undefined {
  const text = String(code)
  return /^[0-9A-Z]{2,3}$/.test(text) && text !== String(status) ? text : undefined
}

/** Some services put a bank's decline at the top level of the body. */
function bankDetails({ paymentId, code, action, protection }: Record<string, unknown>): unknown {
  return { paymentId, declineCode: code, action, protection }
}

/** Some services put the decline code inside `error`. */
function declineIn(error: unknown): unknown {
  const declineCode = asText(asRecord(error).decline_code)
  return declineCode === undefined ? undefined : { declineCode }
}

/**
 * Searches the whole body under any common name, such as `verification_url`. A field named only `link` or `url` is the verification link.
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

/** Returns the fix for a 403 that names a field: its value may differ from the checkout JWT. */
function fixOfField(code: WireErrorCode | undefined, [field]: readonly string[]): string | undefined {
  if (code !== 'FORBIDDEN' || field === undefined) return undefined
  return `Correct ${showKey(field)}: send the value that the merchant's server set (the checkout JWT, if there is one), or leave it out.`
}

/** Does not show the links, because anyone who has one can act as the user. */
function fixOfLinks({ verificationLink, redirectLink }: Links): string | undefined {
  if (verificationLink === undefined) return undefined
  return `Send the user to verificationLink${redirectLink === undefined ? '' : ', then to redirectLink'}. Afterwards make the same call again.`
}

function namedFields({ details, detail, fields, errors }: Record<string, unknown>): string[] {
  return [details, detail, fields, errors].flatMap((one) =>
    Array.isArray(one) ? one.map(asRecord).flatMap(toPath) : faultsIn(one).map(([key]) => key),
  )
}

function toPath(issue: unknown): string[] {
  const { loc, property = loc, path: named = property, field = named } = asRecord(issue)
  const path = typeof issue === 'string' ? issue : field
  const text = Array.isArray(path)
    ? path.filter((key) => typeof key === 'string' || typeof key === 'number').join('.')
    : path
  return typeof text === 'string' ? [text.slice(0, 200)] : []
}

/** Next to a general `message` there is often a specific text (PROTOCOL.md 7.1). */
const wordFields = [
  'message',
  'Message',
  'details',
  'detail',
  'reason',
  'error',
  'errors',
  'error_description',
  'msg',
  'fields',
]

/** Returns all messages in a body: the body itself if it is text, and `wordFields` at several depths, including in lists. */
function textsOf(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => textsOf(one, depth + 1))
  const record = asRecord(value)
  const texts = wordFields.flatMap((field) => textsOf(record[field], depth + 1))
  if (texts.length > 0) return texts
  const faults = faultsIn(record).map(([key, reason]) => `${key}: ${reason}`)
  return faults.length > 0 ? faults.slice(0, 5) : [asText(record.title) ?? ''].filter(Boolean)
}

/** Validators write the errors of fields as `{ "body.subtotal": { message } }` or `{ "subtotal": [text] }`. */
function faultsIn(fields: unknown): [key: string, reason: string][] {
  return Object.entries(asRecord(fields)).flatMap(([key, one]): [string, string][] => {
    const reason = Array.isArray(one) ? one[0] : asRecord(one).message
    return typeof reason === 'string' && !Array.isArray(fields) ? [[key.slice(0, 200), reason]] : []
  })
}

/** Drops repetitions, and shortens each of several messages, so that a long one does not hide the next. */
function shownText(said: readonly string[]): string {
  const telling = said.filter((text) => !said.some((other) => other !== text && other.includes(text)))
  const room = telling.length > 1 ? 170 : Infinity
  return telling.map((text) => (text.length > room ? `${text.slice(0, room)}…` : text)).join(': ')
}

function observedCode(said: readonly string[]): WireErrorCode | undefined {
  return observed.find(([pattern]) => said.some((text) => pattern.test(text)))?.[1]
}

function isCodeOf(status: number, code: unknown): code is WireErrorCode {
  return isWireErrorCode(code) && wireErrors[code].status === status
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)
}

/** Reads seconds or a date (RFC 9110, 10.2.3). `Date.parse` alone would read "1.5" and "1, 2" as dates in 2001. */
function waitOf(retryAfter: string, now: Clock): number | undefined {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  const ms = /\d GMT$/.test(retryAfter) ? Date.parse(retryAfter) - now() : NaN
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
