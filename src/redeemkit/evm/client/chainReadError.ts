import { BaseError } from '../../core/errors/baseError.ts'

/** A chain that could not be read. */
export class ChainReadError extends BaseError {
  override readonly name = 'ChainReadError'
}
