import { BaseError } from '../core/errors/baseError.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'

/**
 * Another attempt of the order was redeemed, from another device or with other terms. This permit can never execute. Compare
 * `outcome` with the order before you treat it as paid.
 */
export class OtherAttemptError extends BaseError {
  override readonly name = 'OtherAttemptError'
  /** What the other attempt charged and moved. */
  readonly outcome: RedeemOutcome

  constructor(outcome: RedeemOutcome) {
    super(
      `Another attempt of this order was redeemed: nonce ${outcome.nonce} in transaction ${outcome.hash}.`,
      {
        field: 'nonce',
        fix: 'Compare credit seed, kind, target and amount minus refunded of `outcome` with the order. The order is paid only when they fit.',
      },
    )
    this.outcome = outcome
  }
}

/** The wait is over and the chain does not hold the redeem yet. It may still execute: look again. */
export class RedeemTimeoutError extends BaseError {
  override readonly name = 'RedeemTimeoutError'
  readonly remedy = 'lookUp' satisfies WireRemedy
}

/**
 * The transaction that the service named was mined, and reverted: nothing was charged, the nonce is unused. The same permit
 * may be sent again until it ends.
 */
export class RedeemRevertedError extends BaseError {
  override readonly name = 'RedeemRevertedError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** The transaction that reverted. */
  readonly hash: Hex
  /** Why, in words. */
  readonly reason: string
  /** The bytes behind it, when the node gave them. */
  readonly revertData: Hex | undefined

  constructor(
    shortMessage: string,
    options: BaseError.Options & { hash: Hex; reason: string; revertData: Hex | undefined },
  ) {
    super(shortMessage, options)
    this.hash = options.hash
    this.reason = options.reason
    this.revertData = options.revertData
  }
}
