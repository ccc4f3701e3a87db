import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidRecordError } from '../../core/errors/inputErrors.ts'
import { showKey, showValue } from '../../core/errors/showValue.ts'

/**
 * Takes a plain object whose fields are the required ones and any of the optional ones, and nothing else.
 *
 * @throws {@link InvalidRecordError} when it is no object; {@link MissingFieldError}; {@link UnknownFieldError}
 */
export function checkKeys(
  value: unknown,
  field: string,
  keys: { required: readonly string[]; optional?: readonly string[] | undefined },
): Record<string, unknown> {
  const record = checkRecord(value, field)
  for (const key of keys.required)
    if (!Object.hasOwn(record, key) || record[key] === undefined)
      throw new MissingFieldError(`Field ${showValue(key)} is missing.`, {
        field: path(field, key),
        fix: `Give all of ${keys.required.join(', ')}.`,
      })
  for (const key of Object.keys(record))
    if (!keys.required.includes(key) && !keys.optional?.includes(key) && record[key] !== undefined)
      throw new UnknownFieldError(`Field ${showValue(key)} is not known here.`, {
        field: path(field, key),
        fix: `Leave it out. Known are ${[...keys.required, ...(keys.optional ?? [])].join(', ')}.`,
      })
  return record
}

export declare namespace checkKeys {
  type ErrorType = MissingFieldError | UnknownFieldError | InvalidRecordError
}

/**
 * Takes an object that is not a list.
 *
 * @throws {@link InvalidRecordError}
 */
export function checkRecord(value: unknown, field: string): Record<string, unknown> {
  let readable = ''
  try {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Reflect.get(value, '')
      // an object that is no list can be read by field name; each value is still unknown
      return value as Record<string, unknown>
    }
  } catch {
    // a proxy that throws: it would break where nobody expects it
    readable = ' that can be read'
  }
  throw new InvalidRecordError(`${showValue(value)} is not an object with fields${readable}.`, {
    field: field === '' ? undefined : field,
    fix: 'Give an object.',
  })
}

const path = (field: string, key: string) => `${field}${field && '.'}${showKey(key)}`

/** A field that must be there is not. */
export class MissingFieldError extends BaseError {
  override readonly name = 'MissingFieldError'
}

/** A field that is not among the known ones. */
export class UnknownFieldError extends BaseError {
  override readonly name = 'UnknownFieldError'
}
