import { InvalidAmountError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'

export { InvalidAmountError }

const decimalText = /^(0|[1-9]\d*)(?:\.(\d+))?$/
const uint256Max = (1n << 256n) - 1n

/**
 * Parses a decimal amount of a token into raw units. Never rounds.
 *
 * @param amountText decimal text without sign, exponent, separators or spaces, e.g. `"10.25"`
 * @returns raw units; with 6 decimals `"1"` is `1_000_000n`. Between 0 and 2^256 - 1.
 * @throws {@link InvalidAmountError} if the text is not such a decimal, has too many decimal places, or is too large
 * @example
 * ```ts
 * import { parseAmount } from 'redeemkit'
 * parseAmount('10.25', { decimals: 6 }) // 10_250_000n
 * ```
 */
export function parseAmount(amountText: string, options: parseAmount.Options): bigint {
  const { field = 'amount' } = options
  const decimals = checkPlaces(options.decimals, 'decimals')
  const match =
    typeof amountText === 'string' && amountText.length <= 120 ? decimalText.exec(amountText) : null
  if (match === null)
    throw new InvalidAmountError(`Amount ${showValue(amountText)} is not a plain decimal.`, {
      field,
      fix: 'Pass only digits and at most one decimal point, such as "10.25".',
    })
  const [, whole = '', places = ''] = match
  if (places.length > decimals)
    throw new InvalidAmountError(
      `Amount ${showValue(amountText)} has ${places.length} decimal places; the token has ${decimals}.`,
      { field, fix: `Round it to at most ${decimals} places yourself. Amounts are never rounded here.` },
    )
  const raw = BigInt(whole + places.padEnd(decimals, '0'))
  if (raw > uint256Max)
    throw new InvalidAmountError(`Amount ${showValue(amountText)} does not fit in 256 bits.`, {
      field,
      fix: 'Use an amount below 2^256 raw units.',
    })
  return raw
}

export declare namespace parseAmount {
  type Options = {
    /** Decimal places of the token: 6 for USDC on EVM and Solana, 7 on Stellar. */
    decimals: number
    /** Name of the field in errors. Default `amount`. */
    field?: string | undefined
  }
  type ErrorType = InvalidAmountError
}

/** Tokens store their decimals as `uint8`. */
export function checkPlaces(places: number, field: string): number {
  if (Number.isInteger(places) && places >= 0 && places <= 255) return places
  throw new InvalidAmountError(`${showValue(places)} is not a number of decimal places.`, {
    field,
    fix: 'Pass the decimals of the token, such as 6 for USDC.',
  })
}
