import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** A node that traces no calls. */
export class TracingUnavailableError extends BaseError {
  override readonly name = 'TracingUnavailableError'
}

/** The address is no credits contract, or one whose permits are not bound to what they pay for. */
export class UnsupportedCreditsContractError extends BaseError {
  override readonly name = 'UnsupportedCreditsContractError'
}

/** A transaction that the node does not know, that was not mined yet, or that holds no redeem of the credits contract. */
export class NoRedeemError extends BaseError {
  override readonly name = 'NoRedeemError'
}
