import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Takes true or false, and nothing that only counts as one of them.
 *
 * @throws {@link InvalidFlagError}
 */
export function checkBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InvalidFlagError(`${showValue(value)} is neither true nor false.`, {
    field,
    fix: 'Give a boolean.',
  })
}

/** Something that should have been true or false. */
export class InvalidFlagError extends BaseError {
  override readonly name = 'InvalidFlagError'
}
