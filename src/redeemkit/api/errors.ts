import { BaseError } from '../core/errors/baseError.ts'
import { showText } from '../core/errors/showValue.ts'
import type { WireErrorCode, WireRemedy, wireErrors } from '../core/errors/wireErrors.ts'
import type { Hex } from '../schema/values.ts'

/** The connection failed, and no response arrived. */
export class ServiceUnreachableError extends BaseError {
  override readonly name = 'ServiceUnreachableError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
}

/** No complete response arrived within `timeoutMs`. */
export class ServiceTimeoutError extends BaseError {
  override readonly name = 'ServiceTimeoutError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
}

/** The service's response is not JSON, is too long, is a redirect, or has a field of the wrong type. */
export class InvalidAnswerError extends BaseError {
  override readonly name = 'InvalidAnswerError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
  /** HTTP status of the response. */
  readonly status: number
  /** Identifies the response in the service's log, if the service sent an id. */
  readonly requestId: string | undefined

  constructor(
    shortMessage: string,
    options: BaseError.Options & { status: number; requestId?: string | undefined },
  ) {
    super(shortMessage, options)
    this.status = options.status
    this.requestId = options.requestId
  }
}

/**
 * The caller's signal aborted the call. With remedy `lookUp`, the request was already sent, and a submitted redeem may still execute.
 * From `redeem`, `submitRedeem` and `waitForRedeem`, such an error has the fields that `isOpenRedeemError` describes.
 */
export class RequestAbortedError extends BaseError {
  override readonly name = 'RequestAbortedError'
  readonly remedy: 'stop' | 'lookUp'

  constructor(options: { sent: boolean }) {
    super('The call was aborted by its signal.', {
      fix: options.sent
        ? 'The request was already sent. If it was a submit, it may still execute: check the chain, or send the same request again.'
        : 'Nothing was sent. You can make the call again.',
    })
    this.remedy = options.sent ? 'lookUp' : 'stop'
  }
}

/**
 * A submit was sent, and its outcome is unknown: no response arrived, or the response proves nothing, even if it is a refusal. The permit
 * may execute until the chain has passed its `validBefore` (PROTOCOL.md 7.4).
 */
export class OutcomeUnknownError extends BaseError {
  override readonly name = 'OutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** The service's refusal, or why no response arrived. */
  declare readonly cause: BaseError
  /** The permit's nonce, which identifies the redeem on chain. */
  readonly nonce: Hex
  /** Unix seconds at which the permit expires. */
  readonly validBefore: string

  constructor(cause: BaseError, { nonce, validBefore }: { nonce: Hex; validBefore: string }) {
    const end = new Date(Number(validBefore) * 1000)
    const what =
      isServiceError(cause) && cause.status < 500 && cause.remedy !== 'tryAgain'
        ? 'The service refused the redeem, but its permit was already sent.'
        : 'The outcome of the redeem is unknown.'
    super(`${what} ${cause.shortMessage}`, {
      cause,
      field: cause.field,
      fix: `It may execute until ${Number.isNaN(end.getTime()) ? validBefore : end.toISOString()}. Check the chain (findRedeem, waitForRedeem), or send the same request again: it executes at most once.`,
      source: 'PROTOCOL.md 7.4',
    })
    this.nonce = nonce
    this.validBefore = validBefore
  }
}

/** The session key function failed or returned no text that fits in a header. */
export class SessionKeyError extends BaseError {
  override readonly name = 'SessionKeyError'
}

/** Whether `error` is an error response of the service. `switch (error.name)` then narrows it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceErrorBase
}

/** The fields of every error response. `readServiceError` creates its instances. */
export class ServiceErrorBase extends BaseError {
  declare readonly name: string
  /** A code of `wireErrors`; otherwise the service's own code (`[A-Z0-9_]`) or `HTTP_<status>`. */
  declare readonly code: string
  /** HTTP status. */
  declare readonly status: number
  /** What the client should do next. */
  declare readonly remedy: WireRemedy
  /** Details from the service, without credentials, each text on one line. */
  declare readonly details: unknown
  /** Paths of the invalid fields, for a 400. */
  declare readonly issues: readonly string[]
  /** Identifies this response in the service's log. */
  declare readonly requestId: string | undefined
  /** How long to wait, if the service said so. */
  declare readonly retryAfterMs: number | undefined
  /** Why the simulation failed (`SIMULATION_FAILED`). */
  declare readonly revertReason: string | undefined
  /** The revert data. Decode it with `decodeRevert` of redeemkit/evm and your contract's ABI. */
  declare readonly revertData: `0x${string}` | undefined
  /** The 3DS challenge (`CHALLENGE_REQUIRED`). */
  declare readonly challenge: Challenge | undefined
  /** The id of the payment, for declines, challenges and state errors. Use it to look up the payment. */
  declare readonly paymentId: string | undefined
  /** The transaction that paid the order, as the service reports it (`ORDER_ALREADY_PAID`). */
  declare readonly hash: `0x${string}` | undefined
  /** The nonce that paid the order, as the service reports it (`ORDER_ALREADY_PAID`). */
  declare readonly nonce: `0x${string}` | undefined

  constructor(
    shortMessage: string,
    fix: string,
    fields: Omit<ServiceErrorBase, keyof BaseError> & { name: string } & Partial<Links>,
  ) {
    const [issue] = fields.issues
    // a path is shown unchanged, any other text quoted
    const field = issue === undefined || /^[\w$.[\]-]+$/.test(issue) ? issue : showText(issue)
    super(shortMessage, { field, fix, source: 'PROTOCOL.md 7.2' })
    Object.assign(this, fields)
  }
}

/**
 * A 451: the user must be verified first (PROTOCOL.md 2.9 and 7.2). Its `name` is `VerificationRequiredError`. The two links are http
 * or https.
 */
export class VerificationError extends ServiceErrorBase {
  /** The name in `wireErrors`. */
  declare readonly name: 'VerificationRequiredError'
  declare readonly code: 'VERIFICATION_REQUIRED'
  declare readonly remedy: 'verify'
  /** The verification URL. Undefined if the service sent none, or an unsafe one. */
  declare readonly verificationLink: string | undefined
  /** Where to send the user afterwards. */
  declare readonly redirectLink: string | undefined
  /** Why the last attempt was rejected, as the service wrote it. */
  declare readonly rejectionReasons: readonly string[]
}

/** The additional fields of a 451. */
export type Links = Pick<VerificationError, 'verificationLink' | 'redirectLink' | 'rejectionReasons'>

/** A 3DS challenge: open `url` or, if there is a `creq`, post it to `url` as a form field. */
type Challenge = {
  transactionId: string | undefined
  url: string | undefined
  creq: string | undefined
}

type Rows = typeof wireErrors

type Known = {
  [code in WireErrorCode]: (code extends 'VERIFICATION_REQUIRED' ? VerificationError : ServiceErrorBase) & {
    readonly name: Rows[code]['name']
    readonly code: code
    readonly status: number
    readonly remedy: Rows[code]['remedy']
  }
}[WireErrorCode]

/** An error response with an unknown code and status. */
export type UnknownServiceError = ServiceErrorBase & { readonly name: 'UnknownServiceError' }

/**
 * An error response of the service (PROTOCOL.md 7.2): one member for each row of `wireErrors`, distinguished by `name` or `code`, and
 * `UnknownServiceError` for all other responses.
 */
export type ServiceError = Known | UnknownServiceError

/**
 * A card payment was sent, and its outcome is unknown: no response arrived, or the response does not show whether the service charged the
 * card (PROTOCOL.md 7.6). Repeating the call would be a second payment: check first.
 */
export class PaymentOutcomeUnknownError extends BaseError {
  override readonly name = 'PaymentOutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** Unix milliseconds when it was sent, by the client's clock. */
  readonly sentAt: number
  /** The call that lists the payment or the card, if it was made. */
  readonly lookUp: 'getPurchases' | 'getSavedCards'
  /** The call's error. Not a `cause`, because its own fix would be to repeat the call. */
  readonly failure: { name: string; status: number | undefined; requestId: string | undefined }

  constructor(error: unknown, options: Pick<PaymentOutcomeUnknownError, 'sentAt' | 'lookUp'>) {
    const { sentAt, lookUp } = options
    super(
      `The outcome of the payment is unknown. ${error instanceof BaseError ? error.shortMessage : 'The call failed.'}`,
      {
        fix: `Do not pay again yet. If the payment was made, ${lookUp} lists it, and the merchant's webhooks report it. If it is not there, check again after a minute.`,
        source: 'PROTOCOL.md 7.6',
      },
    )
    this.sentAt = sentAt
    this.lookUp = lookUp
    // only errors of a response have these two fields
    const { status, requestId } = Object(error) as { status?: number; requestId?: string }
    this.failure = { name: error instanceof Error ? error.name : 'unknown', status, requestId }
  }
}
