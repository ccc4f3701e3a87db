import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

const loneSurrogate = /\p{Surrogate}/u

/**
 * Takes text that has one UTF-8 form. Half of a surrogate pair has none: encoders replace it in silence, and two
 * different texts would hash alike.
 *
 * @throws {@link InvalidTextError}
 */
export function checkText(value: unknown, field: string): string {
  if (typeof value !== 'string')
    throw new InvalidTextError(`${showValue(value)} is not text.`, { field, fix: 'Give a string.' })
  if (loneSurrogate.test(value))
    throw new InvalidTextError('The text holds half of a surrogate pair, which has no UTF-8 form.', {
      field,
      fix: 'Give well-formed Unicode.',
    })
  return value
}

/** Something that is not well-formed text. */
export class InvalidTextError extends BaseError {
  override readonly name = 'InvalidTextError'
}
