import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** A row has an unknown state, kind or reference. Another version of the service wrote it. */
export class UnknownRowError extends BaseError {
  override readonly name = 'UnknownRowError'
}

/** The database cannot be reached. The transaction was rolled back, unless the connection was lost during its commit. */
export class DatabaseUnavailableError extends BaseError {
  override readonly name = 'DatabaseUnavailableError'
}

/** A statement failed. Its parameters are omitted, because they may contain signatures. */
export class DatabaseStatementError extends BaseError {
  override readonly name = 'DatabaseStatementError'
}
