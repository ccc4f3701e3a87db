import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * Checks that options are an object, so that a caller without TypeScript gets an error that names the missing one.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkOptions<options>(options: options, field = 'options'): options {
  if (typeof options === 'object' && options !== null) return options
  throw invalidOption(field, options, 'Pass an object with the fields that the type names.')
}

export function invalidOption(field: string, value: unknown, fix: string): InvalidOptionError {
  return new InvalidOptionError(`${showValue(value)} is not possible.`, { field, fix })
}
