import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** A row with an unknown state, kind or reference, which another version wrote. */
export class UnknownRowError extends BaseError {
  override readonly name = 'UnknownRowError'
}

/** The database is unreachable or the connection was lost. The transaction was rolled back and can be repeated. */
export class DatabaseUnavailableError extends BaseError {
  override readonly name = 'DatabaseUnavailableError'
}

/** A failed statement. Its parameters are omitted because they may contain signatures. */
export class DatabaseStatementError extends BaseError {
  override readonly name = 'DatabaseStatementError'
}
