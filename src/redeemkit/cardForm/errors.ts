import { BaseError } from '../core/errors/baseError.ts'
import type { WireErrorCode, WireRemedy } from '../core/errors/wireErrors.ts'

/**
 * The card form did not appear: the service does not answer, or does not let this page show it. Or it appeared and cannot begin: `code` is
 * the service's then (PROTOCOL.md 7.2), such as `AMBIGUOUS_INTENT` when something else was paid under the same purchase id. No payment was
 * made in it; of one that was made before it says nothing.
 */
export class CardFormError extends BaseError {
  override readonly name = 'CardFormError'
  readonly remedy = 'tryAgain' satisfies WireRemedy
  readonly code: WireErrorCode | (string & {}) | undefined

  constructor(shortMessage: string, { code, ...options }: BaseError.Options & { code?: string } = {}) {
    super(shortMessage, options)
    this.code = code
  }
}

/**
 * A payment by the card form was refused, and nothing was paid. The form has told the person, and stays open for another card; `code` is
 * the service's (PROTOCOL.md 7.2), or `PAYMENT_FAILED` where the bank had agreed and the payment could not settle.
 */
export class CardRefusedError extends BaseError {
  override readonly name = 'CardRefusedError'
  readonly code: WireErrorCode | 'PAYMENT_FAILED' | (string & {})
  /** The payment that failed, where one was made. */
  readonly paymentId: string | undefined
  /** The bank's, such as `insufficientFunds`. */
  readonly reason: string | undefined

  constructor(
    shortMessage: string,
    options: { code: string; paymentId?: string | undefined; reason?: string | undefined },
  ) {
    super(shortMessage, { docs: 'PROTOCOL.md 10.8' })
    this.code = options.code
    this.paymentId = options.paymentId
    this.reason = options.reason
  }
}
