import {
  InvalidAnswerError,
  isServiceError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  VerificationError,
} from '../api/errors.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { isWireErrorCode, type WireErrorCode, wireErrors } from '../core/errors/wireErrors.ts'

/** Thrown and caught inside the handler. */
export class Refusal extends Error {
  readonly code: WireErrorCode
  readonly issues: readonly string[]
  /** Value of the `allow` header. */
  readonly allow: string | undefined

  constructor(code: WireErrorCode, message: string, options: Refusal.Options = {}) {
    super(message)
    this.code = code
    this.issues = options.issues ?? []
    this.allow = options.allow
  }
}

export declare namespace Refusal {
  type Options = { issues?: readonly string[] | undefined; allow?: string | undefined }
}

/** An error as the browser receives it, in the wire format (PROTOCOL.md 7.1). */
export type ErrorAnswer = {
  code: WireErrorCode
  message: string
  details?: unknown
  issues?: readonly string[]
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  allow?: string | undefined
  /** A failure on the server's side. `onError` gets all details, the browser only a few. */
  isOwn?: true
}

/** Details about the merchant's credentials, network or code stay on the server. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof Refusal) {
    const { code, message, issues, allow } = error
    return { code, message, issues, allow }
  }
  if (isServiceError(error)) return serviceAnswer(error)
  const isUnknown = error instanceof BaseError && Reflect.get(error, 'remedy') === 'lookUp'
  if (isUnknown)
    return {
      code: 'INTERNAL',
      message: 'The outcome of this call is unknown. Check its status before you repeat it.',
      details: { outcome: 'unknown' },
      isOwn: true,
    }
  const isAway =
    error instanceof ServiceUnreachableError ||
    error instanceof ServiceTimeoutError ||
    error instanceof InvalidAnswerError
  return isAway
    ? { code: 'UNAVAILABLE', message: 'The payments service does not respond right now.', isOwn: true }
    : failure
}

const failure: ErrorAnswer = {
  code: 'INTERNAL',
  message: 'Internal server error. The request id is in the server log.',
  isOwn: true,
}

/** Statuses of errors that the request caused. */
const passedOn: readonly number[] = [400, 402, 404, 409, 410, 412, 422, 423, 428, 429, 451]

function serviceAnswer(error: ServiceError): ErrorAnswer {
  const { code, status, requestId, retryAfterMs, issues } = error
  if (error.remedy === 'tryAgain')
    return { code: 'UNAVAILABLE', message: 'The payments service failed.', requestId, isOwn: true }
  // the message may be about the API key; the fields may be passed on
  if (status === 403 && isWireErrorCode(code))
    return { code, message: 'The payments service rejected this request.', issues, requestId, isOwn: true }
  if (!passedOn.includes(status) || !isWireErrorCode(code)) return { ...failure, requestId }
  return { code, message: error.shortMessage, details: detailsOf(error), issues, requestId, retryAfterMs }
}

/** Services put the details of an error into different fields. */
function detailsOf(error: ServiceError): unknown {
  const { challenge, details } = error
  if (challenge !== undefined) return challenge
  if (!(error instanceof VerificationError)) return details
  const { verificationLink, redirectLink, rejectionReasons } = error
  const more = typeof details === 'object' && !Array.isArray(details) ? details : { details }
  return { ...more, verificationLink, redirectLink, rejectionReasons }
}

export function toResponse(answer: ErrorAnswer, requestId: string): Response {
  const { code, message, details, issues = [], retryAfterMs, allow } = answer
  const { status, name } = wireErrors[code]
  const body = {
    name,
    message,
    code,
    ...(details === undefined ? {} : { details }),
    ...(issues.length === 0 ? {} : { issues }),
    requestId: answer.requestId ?? requestId,
  }
  const headers = new Headers({ 'content-type': 'application/json' })
  if (retryAfterMs !== undefined) headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  if (allow !== undefined) headers.set('allow', allow)
  return new Response(JSON.stringify(body), { status, headers })
}
