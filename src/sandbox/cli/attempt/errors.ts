import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** Options that say no redeem, or two. */
export class InvalidAttemptError extends BaseError {
  override readonly name = 'InvalidAttemptError'
}
