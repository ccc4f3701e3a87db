import { BaseError } from '../core/errors/baseError.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'

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

/** The caller's signal aborted the call. With remedy `lookUp` the request had left, and may have taken effect. */
export class RequestAbortedError extends BaseError {
  override readonly name = 'RequestAbortedError'
  readonly remedy: 'stop' | 'lookUp'

  constructor(options: { sent: boolean }) {
    super('The call was aborted by its signal.', {
      fix: options.sent
        ? 'The request had left: if it was a submit, look at the chain before you send it again.'
        : 'Nothing was sent: call again when you want to.',
    })
    this.remedy = options.sent ? 'lookUp' : 'stop'
  }
}

/** The function that was to give a session key failed, or gave no text that fits a header. */
export class SessionKeyError extends BaseError {
  override readonly name = 'SessionKeyError'
}
