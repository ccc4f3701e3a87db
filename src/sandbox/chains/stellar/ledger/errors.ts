import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'

/** A ledger that was asked for something that cannot be. */
export class LedgerError extends BaseError {
  override readonly name = 'LedgerError'
}
