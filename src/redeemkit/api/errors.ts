import { BaseError } from '../core/errors/baseError.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { Hex } from '../schema/values.ts'
import { isServiceError } from './serviceError.ts'

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
