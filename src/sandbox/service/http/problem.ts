import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { type WireErrorCode, wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'

/**
 * An error as the service answers it: one row of `wireErrors` with its own words.
 *
 * @param message says what is wrong with this request; it goes out as it stands
 */
export function problem(code: WireErrorCode, message: string, options: problem.Options = {}): ServiceProblem {
  return new ServiceProblem(code, message, options)
}

export declare namespace problem {
  type Options = {
    /** Paths of the fields at fault, for a 400. */
    issues?: readonly string[] | undefined
    /** JSON-safe facts that belong to the code. */
    details?: Record<string, unknown> | undefined
    /** Goes out as `retry-after`. */
    retryAfterSeconds?: number | undefined
    /** What went wrong underneath; stays in the process. */
    cause?: unknown
  }
}

/** An answer with an error status. */
export class ServiceProblem extends BaseError {
  override readonly name = 'ServiceProblem'
  readonly code: WireErrorCode
  readonly status: number
  readonly issues: readonly string[] | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: WireErrorCode, message: string, options: problem.Options) {
    super(message, { cause: options.cause, field: options.issues?.[0] })
    this.code = code
    this.status = wireErrors[code].status
    this.issues = options.issues
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
