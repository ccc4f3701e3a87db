import { BaseError } from '../../core/errors/baseError.ts'

/** A memo that does not fit, or that cannot stand where it is asked for. */
export class InvalidMemoError extends BaseError {
  override readonly name = 'InvalidMemoError'
}
