import { BaseError } from '../core/errors/baseError.ts'

/** A node that traces no calls. */
export class TracingUnavailableError extends BaseError {
  override readonly name = 'TracingUnavailableError'
}

/** The address is no credits contract, or one whose permits are not bound to what they pay for. */
export class UnsupportedCreditsContractError extends BaseError {
  override readonly name = 'UnsupportedCreditsContractError'
}
