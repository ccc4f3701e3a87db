import { InvalidOptionError } from '../core/errors/inputErrors.ts'

/**
 * A name as one part of a path.
 *
 * @throws {@link InvalidOptionError} for what would lead to another endpoint
 */
export function pathPart(text: string, field: string): string {
  // "." and ".." would be taken out of the path, and another endpoint asked; half a surrogate pair cannot stand in one.
  if (typeof text !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(text))
    throw new InvalidOptionError(`${field} cannot be used.`, {
      field,
      fix: 'Give the credit seed or the merchant id as text, or leave it out.',
    })
  return encodeURIComponent(text)
}
