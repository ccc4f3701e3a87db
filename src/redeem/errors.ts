import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'

export { InvalidRedeemRequestError } from '../evm/creditPermit/redeemIntent.ts'
export { InvalidSubtotalError } from '../evm/creditPermit/subtotalToAmount.ts'

/**
 * The service's answer, or stored data, is not what the caller asked for and pinned. Nothing was signed.
 *
 * `field` names the field of the answer, `expected` and `actual` are shown values.
 */
export class PreparedMismatchError extends BaseError {
  override readonly name = 'PreparedMismatchError'
  readonly expected: string
  readonly actual: string

  constructor(
    field: string,
    expected: unknown,
    actual: unknown,
    fix = 'Do not sign. Compare the pinned values with the deployment you trust; if they are right, the service is wrong.',
  ) {
    const shown = { expected: showValue(expected, 80), actual: showValue(actual, 80) }
    super(`${field} must be ${shown.expected}, but it is ${shown.actual}.`, { field, fix })
    this.expected = shown.expected
    this.actual = shown.actual
  }
}

/** The service asks for a permit that does not say what will be executed. */
export class UnboundPermitError extends BaseError {
  override readonly name = 'UnboundPermitError'
}

/** The permit asks for more gas fee than the caller allows. */
export class GasFeeTooHighError extends BaseError {
  override readonly name = 'GasFeeTooHighError'
}

/** Stored data that is no prepared or signed redeem of this version, or that was changed in between. */
export class StoredRedeemError extends BaseError {
  override readonly name = 'StoredRedeemError'
}

/** Stored data cannot vouch for itself: the pinned values have to come from the caller. */
export class PinsRequiredError extends BaseError {
  override readonly name = 'PinsRequiredError'
}

/** The permit is signed, the USDC authorization is not. Nothing was submitted; the permit alone executes nothing. */
export class PartlySignedError extends BaseError {
  override readonly name = 'PartlySignedError'
}

/** The wait is over and the chain does not hold the redeem yet. It may still execute: look again. */
export class RedeemTimeoutError extends BaseError {
  override readonly name = 'RedeemTimeoutError'
  readonly remedy = 'lookUp' satisfies WireRemedy
}

/** The nonce was cancelled: its permit can never execute. */
export class RedeemCancelledError extends BaseError {
  override readonly name = 'RedeemCancelledError'
}

/** The permit ended unused by the chain's own clock: it can never execute, nothing was charged. */
export class RedeemExpiredError extends BaseError {
  override readonly name = 'RedeemExpiredError'
}
