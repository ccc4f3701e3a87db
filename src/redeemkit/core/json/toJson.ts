import { InvalidRecordError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'

/** How deep data may be nested. */
export const mostNesting = 100

/** As long as the digits of a bigint may be: more than any value on a chain, and read in no time. */
export const mostDigits = 400

/** The only key of an object that stands for a bigint. Keys of the data that begin with `$` get a second one. */
export const bigintKey = '$bigint'

/**
 * Writes plain data with bigints as JSON that {@link fromJson} reads back: an outcome of `redeem`, `waitForRedeem` or
 * `findRedeem`, an inspection, or what contains them.
 *
 * A bigint becomes `{"$bigint":"1000000"}`, so that no text can be taken for one. Fields that are `undefined` are left out, as
 * `JSON.stringify` does, and -0 becomes 0.
 *
 * @param value objects, lists, text, numbers, booleans, null and bigints, nested at most 100 deep
 * @throws InvalidRecordError with the path in `field` for everything else: functions, dates, maps, instances of classes,
 * `undefined` in a list, NaN and infinite numbers, and integers above 2^53 - 1, which are bigints
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
    if (digits.length > mostDigits) throw notPlain(value, path, `Give at most ${mostDigits} digits.`)
    return { [bigintKey]: digits }
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      throw notPlain(value, path, 'Give integers above 2^53 - 1 as bigint.')
    return value
  }
  if (typeof value !== 'object') throw notPlain(value, path, 'Leave it out.')
  if (depth >= mostNesting) throw notPlain(value, path, `Nest data at most ${mostNesting} deep.`)
  if (Array.isArray(value))
    return Array.from(value, (item, index) => encode(item, `${path}[${index}]`, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  // An object literal of any window has a prototype that has none itself.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw notPlain(value, path, 'Give plain data, without dates, maps and instances of classes.')
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
  return new InvalidRecordError(`${path || 'The value'} is ${showValue(value)}, which JSON does not have.`, {
    field: path.slice(0, 200) || undefined,
    fix,
  })
}
