import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** What a payment carried cannot be done. The message says why, in words for the merchant. */
export class PaymentNotSettledError extends BaseError {
  override readonly name = 'PaymentNotSettledError'
}
