import { BaseError } from '../core/errors/baseError.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { Hex } from '../schema/values.ts'
import { isServiceError } from './serviceError.ts'

/** No answer came: the connection could not be made, or broke. */
export class ServiceUnreachableError extends BaseError {
  override readonly name = 'ServiceUnreachableError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
}

/** No whole answer came within `timeoutMs`. */
export class ServiceTimeoutError extends BaseError {
  override readonly name = 'ServiceTimeoutError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
}

/** An answer came that is not what it must be: not JSON, too long, a redirect, a field of another type. */
export class InvalidAnswerError extends BaseError {
  override readonly name = 'InvalidAnswerError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
  /** HTTP status of the answer. */
  readonly status: number
  /** Names this answer in the service's own records, when it said so. */
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
 * The caller's signal aborted the call. With remedy `lookUp` a submit had left, and what it carried may still execute:
 * from `redeem`, `submitRedeem` and `waitForRedeem` it then carries what `isOpenRedeemError` tells.
 */
export class RequestAbortedError extends BaseError {
  override readonly name = 'RequestAbortedError'
  readonly remedy: 'stop' | 'lookUp'

  constructor(options: { sent: boolean }) {
    super('The call was aborted by its signal.', {
      fix: options.sent
        ? 'The request had left. If it was a submit, it may still execute: look at the chain, or send the same again.'
        : 'This call sent nothing: call again when you want to.',
    })
    this.remedy = options.sent ? 'lookUp' : 'stop'
  }
}

/**
 * A submit has left, and what became of it is not known: no answer came, or one that nobody can vouch for, a refusal
 * included. The permit may execute until the chain has passed its `validBefore` (PROTOCOL.md 7.4). `cause` says what was answered.
 */
export class OutcomeUnknownError extends BaseError {
  override readonly name = 'OutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** What the call ended with: the service's refusal, or why no answer came. */
  declare readonly cause: BaseError
  /** The permit's nonce: by it the redeem is found on chain. */
  readonly nonce: Hex
  /** Unix seconds from which on the permit is dead. */
  readonly validBefore: string

  constructor(cause: BaseError, { nonce, validBefore }: { nonce: Hex; validBefore: string }) {
    const end = new Date(Number(validBefore) * 1000)
    const what =
      isServiceError(cause) && cause.status < 500 && cause.remedy !== 'tryAgain'
        ? 'The submit was refused, but its permit has left this machine.'
        : 'It is not known whether the redeem was taken.'
    super(`${what} ${cause.shortMessage}`, {
      cause,
      field: cause.field,
      fix: `It may execute until ${Number.isNaN(end.getTime()) ? validBefore : end.toISOString()}. Look at the chain (findRedeem, waitForRedeem), or send the same again: it executes once at most.`,
      docs: 'PROTOCOL.md 7.4',
    })
    this.nonce = nonce
    this.validBefore = validBefore
  }
}

/** The function that was to give a session key failed, or gave no text that fits a header. */
export class SessionKeyError extends BaseError {
  override readonly name = 'SessionKeyError'
}
