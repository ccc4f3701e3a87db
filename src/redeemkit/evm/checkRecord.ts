import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** In its own file, because the code that a page loads first needs it without the rest of `values.ts`. */
export function checkRecord(value: unknown, field: string): Record<string, unknown> {
  let readable = ''
  try {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Reflect.get(value, '')
      // an object that is not an array can be read by field name; the type of each value is still unknown
      return value as Record<string, unknown>
    }
  } catch {
    // A proxy that throws on reads should fail here, not in later code.
    readable = ' that can be read'
  }
  throw new InvalidRecordError(`${showValue(value)} is not an object with fields${readable}.`, {
    field: field === '' ? undefined : field,
    fix: 'Pass an object.',
  })
}
