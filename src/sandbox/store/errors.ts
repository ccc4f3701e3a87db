import { BaseError } from '../../redeemkit/core/errors/baseError.ts'

/** A row that this version did not write: a state, a kind or a reference that it does not know. */
export class UnknownRowError extends BaseError {
  override readonly name = 'UnknownRowError'
}

/** The database does not answer, or the connection was lost. What was under way is taken back; the same may be tried again. */
export class DatabaseUnavailableError extends BaseError {
  override readonly name = 'DatabaseUnavailableError'
}

/** A statement that the database did not take. Its parameters stay out of the error: signatures may be among them. */
export class DatabaseStatementError extends BaseError {
  override readonly name = 'DatabaseStatementError'
}
