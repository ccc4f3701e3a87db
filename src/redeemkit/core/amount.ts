import { InvalidAmountError } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'

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
function checkPlaces(places: number, field: string): number {
  if (Number.isInteger(places) && places >= 0 && places <= 255) return places
  throw new InvalidAmountError(`${showValue(places)} is not a number of decimal places.`, {
    field,
    fix: 'Pass the decimals of the token, such as 6 for USDC.',
  })
}

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

/** Decimals of credits, of USDC on EVM chains, and of Tempo's TIP-20 stablecoins. */
export const usdcDecimals = 6

export const amountPerCent = 10n ** /* @__PURE__ */ BigInt(usdcDecimals - 2)

/** Converts whole US cents to raw units of a 6-decimal dollar token: 1 cent is `10_000n`. */
export function centsToAmount(cents: number, options: { field?: string | undefined } = {}): bigint {
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents < 0)
    throw new InvalidAmountError(`${showValue(cents)} is not a whole, non-negative number of cents.`, {
      field: options.field ?? 'cents',
      fix: 'Pass whole cents between 0 and 2^53 - 1: 10 dollars are 1000.',
    })
  return BigInt(cents) * amountPerCent
}

/** Converts raw units of a 6-decimal dollar token to cents. Rounds up, because fees are quoted that way. */
export function amountToCentsRoundedUp(amount: bigint): number {
  const cents = (amount + amountPerCent - 1n) / amountPerCent
  if (amount < 0n || cents > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InvalidAmountError(`Amount ${showValue(amount)} cannot be written in cents.`, {
      fix: 'Use a non-negative amount below 2^53 cents.',
    })
  return Number(cents)
}

export function least(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other < found) found = other
  return found
}

export function greatest(first: bigint, ...others: readonly bigint[]): bigint {
  let found = first
  for (const other of others) if (other > found) found = other
  return found
}
