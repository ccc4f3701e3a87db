import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** A function's signature that does not parse. */
export class InvalidSignatureTextError extends BaseError {
  override readonly name = 'InvalidSignatureTextError'
}

/** Arguments that do not fit the signature. */
export class InvalidArgumentsError extends BaseError {
  override readonly name = 'InvalidArgumentsError'
}
