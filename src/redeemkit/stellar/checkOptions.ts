import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * A whole number that is not negative, or none. Text in its place would be joined, not added, and no limit be left.
 *
 * @throws `InvalidOptionError`
 */
export function checkCount(value: number | undefined, field: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass a non-negative integer, or omit it.',
  })
}

/**
 * An amount of stroops, or none. 1 XLM is `10_000_000n`.
 *
 * @throws `InvalidOptionError`
 */
export function checkStroops(value: bigint | undefined, field: string): bigint | undefined {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Pass stroops as a bigint, or omit it: 1 XLM is 10_000_000n.',
  })
}
