import { amountPerCent, centsToAmount, usdcDecimals } from './amount.ts'
import { InvalidAmountError, InvalidOptionError } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'

/**
 * Formats dollars for a locale. Shows fractions of a cent, and never rounds.
 *
 * @param amount raw units with 6 decimals (`1_000_000n` is one dollar), or `{ cents }` as a whole number
 * @returns text with two decimal places, or more if there are fractions of a cent
 * @throws {@link InvalidAmountError} for any other amount; `InvalidOptionError` for an invalid locale
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
    throw new InvalidAmountError(`${showValue(amount)} is not an amount of dollars.`, {
      field: 'amount',
      fix: 'Pass raw units as a bigint, such as 10_250_000n, or { cents: 1025 }.',
    })
  return usdText(centsToAmount(amount.cents), locale)
}

export declare namespace formatUsd {
  type Options = {
    /** Language tag (BCP 47). Default `en-US`. */
    locale?: string | undefined
  }
  type ErrorType = InvalidAmountError | InvalidOptionError
}

/** Formats raw units with 6 decimals. `Intl` formats only the whole dollars, because only newer browsers format decimal text exactly. */
export function usdText(amount: bigint, locale: string): string {
  const { format, digit } = formatsOf(locale)
  const size = amount < 0n ? -amount : amount
  const whole = (size / dollar) * (amount < 0n ? -1n : 1n)
  const places = (size % dollar)
    .toString()
    .padStart(usdcDecimals, '0')
    .replace(/0{1,4}$/, '')
  // Below a dollar, -0 gives the minus sign: a bigint has no -0.
  return format
    .formatToParts(whole === 0n && amount < 0n ? -0 : whole)
    .map(({ type, value }) =>
      type === 'fraction' ? places.replace(/\d/g, (one) => digit.format(Number(one))) : value,
    )
    .join('')
}

const dollar = 100n * amountPerCent

type Formats = { format: Intl.NumberFormat; digit: Intl.NumberFormat }

/** Creating a formatter takes twenty times as long as formatting. */
const kept = new Map<string, Formats>()

function formatsOf(locale: string): Formats {
  const formats = kept.get(locale) ?? {
    format: new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }),
    digit: new Intl.NumberFormat(locale, { useGrouping: false }),
  }
  // Bounded, because a server may receive any locale.
  if (kept.size > 50) kept.clear()
  kept.set(locale, formats)
  return formats
}

/** Returns the canonical form of the locale. Throws here for an invalid one, because `Intl` would throw during rendering. */
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
    fix: 'Pass a language tag, such as "en-US" or "pt-BR".',
    source: 'RFC 5646',
    cause,
  })
}
