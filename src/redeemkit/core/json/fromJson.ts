import { showValue } from '../errors/showValue.ts'
import { InvalidJsonError, parseJson } from './parseJson.ts'
import { bigintKey, mostDigits, mostNesting } from './toJson.ts'

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
