import { InvalidOptionError } from '../core/errors/inputErrors.ts'

/**
 * A name as one part of a path.
 *
 * @throws {@link InvalidOptionError} for what would lead to another endpoint
 */
export function pathPart(text: string, field: string): string {
  if (!isPathPart(text))
    throw new InvalidOptionError(`${field} cannot be used.`, {
      field,
      fix: 'Give the credit seed or the merchant id as text, or leave it out.',
    })
  return encodeURIComponent(text)
}

/**
 * Whether a value can stand in a path as one part of it. "." and "../.." would be taken out, and another endpoint asked: beside a slash, too,
 * since proxies decode `%2F` before they look. Half a surrogate pair cannot stand in a path.
 */
export function isPathPart(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    !/(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\]|%2f|%5c)|\p{Surrogate}/iu.test(value)
  )
}
