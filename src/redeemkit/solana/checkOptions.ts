import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * Checks that options are an object, for callers without TypeScript.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkOptions<options>(options: options, field = 'options'): options {
  if (typeof options === 'object' && options !== null) return options
  throw invalidOption(field, options, 'Pass an object.')
}

export function invalidOption(field: string, value: unknown, fix: string): InvalidOptionError {
  return new InvalidOptionError(`${showValue(value)} is invalid.`, { field, fix })
}
