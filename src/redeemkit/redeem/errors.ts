import type { Address, Hex } from 'viem'
import { addHidden, BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { Finding } from '../core/finding/finding.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'

export { InvalidRedeemRequestError, InvalidSubtotalError } from '../evm/creditPermit/redeemIntent.ts'

/**
 * The service's response, or stored data, differs from the request or the pinned values. Nothing was signed.
 *
 * `field` names the field of the response; `expected` and `actual` are formatted for display.
 */
export class PreparedMismatchError extends BaseError {
  override readonly name = 'PreparedMismatchError'
  readonly expected: string
  readonly actual: string

  constructor(
    field: string,
    expected: unknown,
    actual: unknown,
    fix = 'Do not sign. Compare the pinned values with the deployment that you trust. If they are right, the service’s response is wrong.',
  ) {
    const shown = { expected: showValue(expected, 80), actual: showValue(actual, 80) }
    super(`${field} must be ${shown.expected}, but it is ${shown.actual}.`, { field, fix })
    this.expected = shown.expected
    this.actual = shown.actual
  }
}

/** The service asks for a permit with a random nonce, which does not commit to what will be executed. */
export class RandomNonceError extends BaseError {
  override readonly name = 'RandomNonceError'
}

/** The permit's gas fee is above the caller's limit. */
export class GasFeeTooHighError extends BaseError {
  override readonly name = 'GasFeeTooHighError'
}

/** Stored data is not a prepared or signed redeem of this version, or was changed. */
export class StoredRedeemError extends BaseError {
  override readonly name = 'StoredRedeemError'
}

/** Pinned values or the request are missing. They must come from the caller, never from stored data. */
export class PinsRequiredError extends BaseError {
  override readonly name = 'PinsRequiredError'
}

/**
 * The permit is signed, but a later step failed: its verification by a node, or the USDC authorization. Nothing was submitted, and
 * the permit alone executes nothing.
 */
export class PartlySignedError extends BaseError {
  override readonly name = 'PartlySignedError'
  /** Signature of the permit, for the next call of `signRedeem`. On the prototype, so that logs do not contain it. */
  declare readonly permitCredits: Hex

  constructor(shortMessage: string, options: BaseError.Options & { permitCredits: Hex }) {
    super(shortMessage, options)
    addHidden(this, { permitCredits: options.permitCredits })
  }
}

/** The customer has too few credits or too little USDC. Nothing was signed. */
export class InsufficientFundsError extends BaseError {
  override readonly name = 'InsufficientFundsError'
  readonly asset: 'credits' | 'usdc'
  /** Raw units; 1 USDC or 1 USD of credits is `1_000_000n`. */
  readonly have: bigint
  /** Raw units. */
  readonly need: bigint

  constructor(
    shortMessage: string,
    options: BaseError.Options & Pick<InsufficientFundsError, 'asset' | 'have' | 'need'>,
  ) {
    super(shortMessage, options)
    this.asset = options.asset
    this.have = options.have
    this.need = options.need
  }
}

/** The dry run found that the redeem would fail: see `findings`. Nothing was signed. */
export class RedeemWouldFailError extends BaseError {
  override readonly name = 'RedeemWouldFailError'
  /** Findings of the dry run, most severe first. */
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    const [gravest] = findings
    super(gravest?.message ?? 'The redeem would fail.', { field: gravest?.field, fix: gravest?.fix })
    this.findings = findings
  }
}

/** The order is already paid, by this attempt or another one that matches the order. Nothing was signed. */
export class AlreadyRedeemedError extends BaseError {
  override readonly name = 'AlreadyRedeemedError'
  /** Account that paid, if it is not this redeem's wallet. */
  readonly paidBy: Address | undefined

  constructor(shortMessage: string, options: BaseError.Options & { paidBy?: Address | undefined }) {
    super(shortMessage, options)
    this.paidBy = options.paidBy
  }
}

/**
 * The order was used for another payment: its `Redeemed` event does not match this order's price or receiver. The order id cannot
 * be used again.
 */
export class OrderUsedError extends BaseError {
  override readonly name = 'OrderUsedError'
  /** Price of this order, raw units; 1 USD is `1_000_000n`. */
  readonly expected: bigint
  /** Amount that the other payment spent, raw units: `amount - refunded` of the event. */
  readonly paid: bigint
  /** Transaction of the other payment. */
  readonly hash: Hex
  /** Nonce of the other payment. */
  readonly nonce: Hex

  constructor(
    shortMessage: string,
    options: BaseError.Options & Pick<OrderUsedError, 'expected' | 'paid' | 'hash' | 'nonce'>,
  ) {
    super(shortMessage, options)
    const { expected, paid, hash, nonce } = options
    this.expected = expected
    this.paid = paid
    this.hash = hash
    this.nonce = nonce
  }
}

/** The wait timed out before the redeem was on chain. It may still execute: check again. */
export class RedeemTimeoutError extends BaseError {
  override readonly name = 'RedeemTimeoutError'
  readonly remedy = 'lookUp' satisfies WireRemedy
}

/**
 * The transaction that the service reported was mined and reverted. Nothing was charged, and the nonce is unused. The same permit
 * can be submitted again until it expires.
 */
export class RedeemRevertedError extends BaseError {
  override readonly name = 'RedeemRevertedError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** Hash of the reverted transaction. */
  readonly hash: Hex
  /** The revert reason as text. */
  readonly reason: string
  /** The revert data, if the node returned it. */
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

/** The order was cancelled on this chain, so none of its permits can execute here. */
export class RedeemCancelledError extends BaseError {
  override readonly name = 'RedeemCancelledError'

  constructor({ nonce, wallet }: { nonce: Hex; wallet: string }) {
    super(`The order for nonce ${nonce} was cancelled by ${wallet}.`, {
      field: 'nonce',
      fix: 'Nothing was charged, and no permit of this order can execute on this chain. To redeem again, use another purchaseId.',
    })
  }
}

/** The permit expired unused, by the chain's clock. It can never execute, and nothing was charged. */
export class RedeemExpiredError extends BaseError {
  override readonly name = 'RedeemExpiredError'
}

/**
 * A recorded attempt of this order has other terms, another chain or another wallet, and has paid or may still execute. `field`
 * names the difference. Nothing was signed.
 */
export class PurchaseMismatchError extends BaseError {
  override readonly name = 'PurchaseMismatchError'
}

/** The purchase storage failed, or holds an invalid record. */
export class PurchaseStorageError extends BaseError {
  override readonly name = 'PurchaseStorageError'
}

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
