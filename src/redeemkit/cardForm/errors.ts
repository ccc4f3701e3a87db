import { BaseError } from '../core/errors/baseError.ts'
import type { WireErrorCode, WireRemedy } from '../core/errors/wireErrors.ts'

/**
 * The card form could not be loaded: the service does not respond, does not allow this page, or refused to start the form. After a refusal,
 * `code` is the service's error code (PROTOCOL.md 7.2), such as `AMBIGUOUS_INTENT` for a purchase id that another purchase has used. The
 * error says nothing about payments that the customer has already started.
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
 * The card form's payment was declined, and the customer has not been charged. The form shows this and accepts another card.
 * `code` is the service's (PROTOCOL.md 7.2), or `PAYMENT_FAILED` if the bank approved but the payment could not settle.
 */
export class CardRefusedError extends BaseError {
  override readonly name = 'CardRefusedError'
  readonly code: WireErrorCode | 'PAYMENT_FAILED' | (string & {})
  /** The failed payment, if one was created. */
  readonly paymentId: string | undefined
  /** The bank's decline reason, such as `insufficientFunds`. */
  readonly reason: string | undefined

  constructor(
    shortMessage: string,
    options: { code: string; paymentId?: string | undefined; reason?: string | undefined },
  ) {
    super(shortMessage, { source: 'PROTOCOL.md 10.8' })
    this.code = options.code
    this.paymentId = options.paymentId
    this.reason = options.reason
  }
}
