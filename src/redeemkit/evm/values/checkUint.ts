import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { showValue } from '../../core/errors/showValue.ts'

const uint256Max = (1n << 256n) - 1n
const digits = /^(?:0|[1-9]\d{0,77})$/

/**
 * Takes a bigint that fits into a uint256.
 *
 * @throws {@link InvalidAmountError} for other types, negatives, and anything above 2^256 - 1
 */
export function checkUint(value: unknown, field: string): bigint {
  if (typeof value !== 'bigint')
    throw new InvalidAmountError(`${showValue(value)} is not a bigint.`, {
      field,
      fix: 'Give raw units as a bigint, such as 1_000_000n: never a number, which rounds.',
    })
  if (value < 0n || value > uint256Max)
    throw new InvalidAmountError(`${showValue(value)} does not fit into a uint256.`, {
      field,
      fix: 'Give a value between 0 and 2^256 - 1.',
    })
  return value
}

/**
 * Reads a uint256 as the wire writes it: decimal text, or a JSON number that a double holds exactly.
 *
 * @throws {@link InvalidAmountError} for anything else: signs, points, exponents, hex, leading zeros, above 2^256 - 1
 */
export function parseUint(value: unknown, field: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value !== 'string' || !digits.test(value))
    throw new InvalidAmountError(`${showValue(value)} is not a whole, non-negative number.`, {
      field,
      fix: 'Send decimal digits as text; JSON numbers only up to 2^53 - 1.',
    })
  return checkUint(BigInt(value), field)
}
