import { showValue } from '../errors/showValue.ts'
import { checkPlaces, InvalidAmountError } from './parseAmount.ts'

/**
 * Writes raw units as decimal text, exactly and without trailing zeros. The inverse of `parseAmount`.
 *
 * @param amount raw units; with 6 decimals `1_000_000n` is 1
 * @throws {@link InvalidAmountError} for an amount that is no bigint, and for places that are no number of places
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
      fix: 'Give raw units as a bigint, such as 1_000_000n.',
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
    /** Keep at least so many places: 2 writes `10` as `10.00`. Default 0. */
    minimumPlaces?: number | undefined
  }
  type ErrorType = InvalidAmountError
}
