import { BaseError } from '../core/errors/baseError.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'

/**
 * Another attempt to pay the order was redeemed, from another device or with other terms. This permit can never execute. Compare `outcome`
 * with the order before you treat it as paid.
 */
export class OtherAttemptError extends BaseError {
  override readonly name = 'OtherAttemptError'
  /** Amounts that the other attempt charged and moved. */
  readonly outcome: RedeemOutcome

  constructor(outcome: RedeemOutcome) {
    super(
      `Another attempt to pay this order was redeemed: nonce ${outcome.nonce} in transaction ${outcome.hash}.`,
      {
        field: 'nonce',
        fix: 'Compare `creditSeed`, `kind`, `target` and `amount - refunded` of `outcome` with the order. The order is paid only if all of them match.',
      },
    )
    this.outcome = outcome
  }
}
