import { InvalidRecordError } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'
import { InvalidJsonError, parseJson } from './parseJson.ts'

const mostNesting = 100

/** More digits than any on-chain value has, and still fast to parse. */
const mostDigits = 400

/** Marks a bigint. A key of the data that starts with `$` gets a second `$`. */
const bigintKey = '$bigint'

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
    { field: path.slice(0, 200) || undefined, fix },
  )
}

/**
 * Parses the output of {@link toJson}: `fromJson(toJson(value))` equals the value, including bigints.
 *
 * @returns the data. Its type is not checked; trust it only as far as you trust where it was stored
 * @throws InvalidJsonError for text that is not JSON or that `toJson` did not write; UnsafeJsonNumberError for a number that would be
 * rounded
 * @example
 * ```ts
 * import { fromJson } from 'redeemkit'
 * fromJson<{ charged: bigint }>('{"charged":{"$bigint":"6030000"}}').charged // 6030000n
 * ```
 */
export function fromJson<value = unknown>(text: string): value {
  if (typeof text !== 'string')
    throw new InvalidJsonError(`${showValue(text)} is not text.`, { fix: 'Pass the output of toJson.' })
  // the caller states the type
  return decode(parseJson(text), 0) as value
}

export declare namespace fromJson {
  type ErrorType = parseJson.ErrorType
}

function decode(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= mostNesting) throw notOurs(`The data is nested more than ${mostNesting} levels deep.`)
  if (Array.isArray(value)) return value.map((item) => decode(item, depth + 1))
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === bigintKey) return toBigint(first[1])
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (/^\$(?!\$)/.test(key)) throw notOurs(`The key ${showValue(key)} is not allowed here.`)
      return [key.startsWith('$') ? key.slice(1) : key, decode(item, depth + 1)]
    }),
  )
}

function toBigint(text: unknown): bigint {
  if (typeof text === 'string' && text.length <= mostDigits && /^(?:0|-?[1-9]\d*)$/.test(text))
    return BigInt(text)
  throw notOurs(`${showValue(text)} is not a whole number in decimal digits.`)
}

function notOurs(what: string): InvalidJsonError {
  return new InvalidJsonError(what, { fix: 'Pass the unchanged output of toJson.' })
}
