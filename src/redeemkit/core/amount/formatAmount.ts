import { showValue } from '../errors/showValue.ts'
import { checkPlaces, InvalidAmountError } from './parseAmount.ts'

/**
 * Formats raw units as exact decimal text without trailing zeros. The inverse of `parseAmount`.
 *
 * @param amount raw units; with 6 decimals `1_000_000n` is 1
 * @throws {@link InvalidAmountError} for an amount that is not a bigint, and for invalid decimals
 * @example
 * ```ts
 * import { formatAmount } from 'redeemkit'
 * formatAmount(10_250_000n, { decimals: 6 }) // '10.25'
 * ```
 */
export function formatAmount(amount: bigint, options: formatAmount.Options): string {
  const decimals = checkPlaces(options.decimals, 'decimals')
  const minimumPlaces = checkPlaces(options.minimumPlaces ?? 0, 'minimumPlaces')
  if (typeof amount !== 'bigint')
    throw new InvalidAmountError(`${showValue(amount)} is not a bigint.`, {
      field: 'amount',
      fix: 'Pass raw units as a bigint, such as 1_000_000n.',
    })
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const places = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(minimumPlaces, '0')
  return `${amount < 0n ? '-' : ''}${whole}${places === '' ? '' : `.${places}`}`
}

export declare namespace formatAmount {
  type Options = {
    /** Decimal places of the token. */
    decimals: number
    /** Minimum number of decimal places: with 2, `10` becomes `10.00`. Default 0. */
    minimumPlaces?: number | undefined
  }
  type ErrorType = InvalidAmountError
}
