import type { Hex } from 'viem'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { Finding } from '../core/finding/finding.ts'

export { InvalidRedeemRequestError, InvalidSubtotalError } from '../evm/creditPermit/redeemIntent.ts'

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

/** Stored data cannot vouch for itself: the pinned values and the request have to come from the caller. */
export class PinsRequiredError extends BaseError {
  override readonly name = 'PinsRequiredError'
}

/**
 * The permit is signed, and what follows it failed: its check by a node, or the USDC authorization. Nothing was
 * submitted; the permit alone executes nothing.
 */
export class PartlySignedError extends BaseError {
  override readonly name = 'PartlySignedError'
  /** The permit's signature: `signRedeem` goes on from it. Not enumerable, so that no log shows it. */
  declare readonly permitCredits: Hex

  constructor(shortMessage: string, options: BaseError.Options & { permitCredits: Hex }) {
    super(shortMessage, options)
    Object.defineProperty(this, 'permitCredits', { value: options.permitCredits })
  }
}

/** The customer has fewer credits than the redeem may charge, or less USDC than it pays. Nothing was signed. */
export class InsufficientFundsError extends BaseError {
  override readonly name = 'InsufficientFundsError'
  readonly asset: 'credits' | 'usdc'
  /** Raw units; 1 USDC, and 1 USD of credits, is `1_000_000n`. */
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

/**
 * The dry run on the caller's own node found that the redeem would fail: `findings` say why. Nothing was signed.
 */
export class RedeemWouldFailError extends BaseError {
  override readonly name = 'RedeemWouldFailError'
  /** What the dry run found, the gravest first. */
  readonly findings: readonly Finding[]

  constructor(findings: readonly Finding[]) {
    const [gravest] = findings
    super(gravest?.message ?? 'The redeem would fail.', { field: gravest?.field, fix: gravest?.fix })
    this.findings = findings
  }
}

/** The order is paid: this attempt, or another one that fits the order, was redeemed. Nothing was signed. */
export class AlreadyRedeemedError extends BaseError {
  override readonly name = 'AlreadyRedeemedError'
}

/**
 * The order was used for another payment: its `Redeemed` event does not fit what the order costs, or to whom it is paid. It
 * cannot be used again, so the order needs a new id.
 */
export class OrderUsedError extends BaseError {
  override readonly name = 'OrderUsedError'
  /** What this order costs, raw units; 1 USD is `1_000_000n`. */
  readonly expected: bigint
  /** What the other payment spent, raw units: `amount - refunded` of the event. */
  readonly paid: bigint
  /** The transaction of the other payment. */
  readonly hash: Hex
  /** The nonce of the other payment. */
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

/** The order was cancelled on this chain: no permit for it can ever execute here. */
export class RedeemCancelledError extends BaseError {
  override readonly name = 'RedeemCancelledError'

  constructor({ nonce, wallet }: { nonce: Hex; wallet: string }) {
    super(`The order of nonce ${nonce} was cancelled by ${wallet}.`, {
      field: 'nonce',
      fix: 'Nothing was charged, and no permit of this order can execute on this chain. To redeem after all, use another purchaseId.',
    })
  }
}

/** The permit ended unused by the chain's own clock: it can never execute, nothing was charged. */
export class RedeemExpiredError extends BaseError {
  override readonly name = 'RedeemExpiredError'
}

/**
 * An attempt of this order is on record with other terms, on another chain or of another wallet, and may still execute or has
 * paid. `field` names what differs. Nothing was signed.
 */
export class PurchaseMismatchError extends BaseError {
  override readonly name = 'PurchaseMismatchError'
}

/** The storage of purchases cannot be read or written, or holds something else under this name. */
export class PurchaseStorageError extends BaseError {
  override readonly name = 'PurchaseStorageError'
}
