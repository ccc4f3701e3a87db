import { InvalidRecordError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'

export const mostNesting = 100

/** More digits than any on-chain value has, and still fast to parse. */
export const mostDigits = 400

/** Marks a bigint. A key of the data that starts with `$` gets a second `$`. */
export const bigintKey = '$bigint'

/**
 * Serializes plain data with bigints as JSON for {@link fromJson}: a result of `redeem`, `waitForRedeem` or `findRedeem`, an
 * inspection, or data that contains them.
 *
 * A bigint becomes `{"$bigint":"1000000"}`, so that it cannot be confused with text. As with `JSON.stringify`, `undefined` fields
 * are left out and -0 becomes 0.
 *
 * @param value objects, arrays, text, numbers, booleans, null and bigints, nested at most 100 levels deep
 * @throws InvalidRecordError with the path in `field` for anything else: functions, dates, maps, class instances, `undefined` in
 * an array, NaN, infinite numbers, and integers above 2^53 - 1, which must be bigints
 * @example
 * ```ts
 * import { findRedeem, fromJson, toJson } from 'redeemkit'
 * const keep = (found: findRedeem.ReturnType) => localStorage.setItem('redeem', toJson(found))
 * const read = () => fromJson<findRedeem.ReturnType>(localStorage.getItem('redeem') ?? 'null')
 * ```
 */
export function toJson(value: unknown): string {
  return JSON.stringify(encode(value, '', 0))
}

export declare namespace toJson {
  type ErrorType = InvalidRecordError
}

function encode(value: unknown, path: string, depth: number): unknown {
  if (typeof value === 'bigint') {
    const digits = `${value}`
    if (digits.length > mostDigits) throw notPlain(value, path, `Pass at most ${mostDigits} digits.`)
    return { [bigintKey]: digits }
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw notPlain(value, path, 'Pass integers above 2^53 - 1 as bigint.')
    return value
  }
  if (typeof value !== 'object') throw notPlain(value, path, 'Leave it out.')
  if (depth >= mostNesting) throw notPlain(value, path, `Nest data at most ${mostNesting} levels deep.`)
  if (Array.isArray(value))
    return Array.from(value, (item, index) => encode(item, `${path}[${index}]`, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  // The prototype of a plain object, even from another window, has no prototype.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw notPlain(value, path, 'Pass plain data, without dates, maps and class instances.')
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [
        key.startsWith('$') ? `$${key}` : key,
        encode(item, `${path}${path && '.'}${key.slice(0, 60)}`, depth + 1),
      ]),
  )
}

function notPlain(value: unknown, path: string, fix: string): InvalidRecordError {
  return new InvalidRecordError(
    `${path || 'The value'} is ${showValue(value)}, which JSON cannot represent.`,
    {
      field: path.slice(0, 200) || undefined,
      fix,
    },
  )
}
