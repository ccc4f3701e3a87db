import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** A local chain could not be set up. */
export class ChainSetupError extends BaseError {
  override readonly name = 'ChainSetupError'
}
