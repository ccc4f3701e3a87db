import { BaseError } from '../../core/errors/baseError.ts'

/** A row that this version did not write: a state, a kind or a reference that it does not know. */
export class UnknownRowError extends BaseError {
  override readonly name = 'UnknownRowError'
}
