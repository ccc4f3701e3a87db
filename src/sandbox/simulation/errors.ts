import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** The node does not support tracing. */
export class TracingUnavailableError extends BaseError {
  override readonly name = 'TracingUnavailableError'
}

/** The address is not a credits contract, or the contract does not support intent-bound permits. */
export class UnsupportedCreditsContractError extends BaseError {
  override readonly name = 'UnsupportedCreditsContractError'
}

/** The transaction is unknown, not mined yet, or contains no redeem of the credits contract. */
export class NoRedeemError extends BaseError {
  override readonly name = 'NoRedeemError'
}
