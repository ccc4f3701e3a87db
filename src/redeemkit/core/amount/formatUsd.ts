import { InvalidOptionError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'
import { centsToAmount } from './centsToAmount.ts'
import { InvalidAmountError } from './parseAmount.ts'

/**
 * Writes dollars as people of a locale write them, exactly: parts of a cent are shown, never rounded away.
 *
 * @param amount raw units of credits or USDC with 6 decimals, `1_000_000n` is one dollar; or `{ cents }`, a whole number of them
 * @returns at least two places, and more only where there are parts of a cent
 * @throws {@link InvalidAmountError} for an amount that is neither, and `InvalidOptionError` for a locale that is none
 * @example
 * ```ts
 * import { formatUsd } from 'redeemkit'
 * formatUsd(10_250_000n) // '$10.25'
 * formatUsd({ cents: 123456 }, { locale: 'pt-BR' }) // 'US$ 1.234,56'
 * formatUsd(1n) // '$0.000001'
 * ```
 */
export function formatUsd(amount: bigint | { cents: number }, options: formatUsd.Options = {}): string {
  const locale = localeOf(options)
  if (typeof amount === 'bigint') return usdText(amount, locale)
  if (typeof amount !== 'object' || amount === null)
    throw new InvalidAmountError(`${showValue(amount)} is no amount of dollars.`, {
      field: 'amount',
      fix: 'Give raw units as a bigint, such as 10_250_000n, or { cents: 1025 }.',
    })
  return usdText(centsToAmount(amount.cents), locale)
}

export declare namespace formatUsd {
  type Options = {
    /** Language tag (BCP 47) of how it is written. Default `en-US`. */
    locale?: string | undefined
  }
  type ErrorType = InvalidAmountError | InvalidOptionError
}

/**
 * Dollars of raw units with 6 decimals. The whole dollars are written by `Intl` as a bigint, which loses nothing, and the digits
 * behind the point are put in their place: text as a number is exact in newer browsers only.
 */
export function usdText(amount: bigint, locale: string): string {
  const { format, digit } = formatsOf(locale)
  const size = amount < 0n ? -amount : amount
  const whole = (size / 1_000_000n) * (amount < 0n ? -1n : 1n)
  const places = (size % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  // There is a minus zero of numbers, and none of bigints.
  return format
    .formatToParts(whole === 0n && amount < 0n ? -0 : whole)
    .map(({ type, value }) =>
      type === 'fraction' ? places.replace(/\d/g, (one) => digit.format(Number(one))) : value,
    )
    .join('')
}

type Formats = { format: Intl.NumberFormat; digit: Intl.NumberFormat }

/** Kept by locale: to make one takes twenty times as long as to write an amount, and a press waits for what is drawn. */
const kept = new Map<string, Formats>()

function formatsOf(locale: string): Formats {
  const formats = kept.get(locale) ?? {
    format: new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }),
    digit: new Intl.NumberFormat(locale, { useGrouping: false }),
  }
  // A server may be asked for any locale there is.
  if (kept.size > 50) kept.clear()
  kept.set(locale, formats)
  return formats
}

/**
 * The locale in which something is written, checked: one that `Intl` does not know would break a page where it shows an amount.
 *
 * @throws {@link InvalidOptionError} when it is no language tag
 */
export function localeOf({ locale = 'en-US' }: { locale?: string | undefined }): string {
  try {
    const [canonical] = typeof locale === 'string' ? Intl.getCanonicalLocales(locale) : []
    if (canonical !== undefined) return canonical
  } catch (cause) {
    throw wrongLocale(locale, cause)
  }
  throw wrongLocale(locale)
}

function wrongLocale(locale: unknown, cause?: unknown): InvalidOptionError {
  return new InvalidOptionError(`${showValue(locale)} is not a locale.`, {
    field: 'locale',
    fix: 'Give a language tag, such as "en-US" or "pt-BR".',
    docs: 'RFC 5646',
    cause,
  })
}
