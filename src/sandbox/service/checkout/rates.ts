import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import { problem } from '../http/problem.ts'

/** Returns the exact value of a JSON number's shortest decimal form, as `digits / 10^places`: 2.9 is 29 / 10, not the nearest double. */
export function exactDecimal(value: number): { digits: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}

/**
 * Units of each currency per US dollar, as decimal text. The rates are simulated and fixed, so that tests are reproducible,
 * and close to those of 2025. Other currencies are rejected.
 */
export const sandboxRates = {
  USD: '1',
  AED: '3.67',
  ARS: '1000',
  AUD: '1.5',
  BRL: '5.4',
  CAD: '1.4',
  CHF: '0.8',
  CLP: '950',
  CNY: '7.2',
  COP: '4000',
  CZK: '22',
  DKK: '6.5',
  EUR: '0.9',
  GBP: '0.75',
  HKD: '7.8',
  IDR: '16000',
  ILS: '3.5',
  INR: '85',
  JPY: '150',
  KES: '130',
  KRW: '1400',
  MXN: '19',
  MYR: '4.3',
  NGN: '1500',
  NOK: '10',
  NZD: '1.7',
  PEN: '3.7',
  PHP: '57',
  PLN: '3.8',
  SAR: '3.75',
  SEK: '9.6',
  SGD: '1.3',
  THB: '33',
  TRY: '40',
  TWD: '31',
  VND: '26000',
  ZAR: '18',
} as const satisfies Partial<Record<Currency, string>>

export type RatedCurrency = keyof typeof sandboxRates

type Conversion = { from: Currency; to: Currency; round: 'up' | 'down' }

/**
 * In every currency, a cent is a hundredth of the unit. Amounts that customers pay are rounded `up`, amounts that they receive `down`.
 */
export function convertCents(cents: bigint, options: Conversion & { field: string }): bigint {
  const converted = convertRatedCents(cents, options)
  if (converted !== undefined) return converted
  const currency = rateOf(options.from) === undefined ? options.from : options.to
  throw problem(
    'UNSUPPORTED_SUBTOTAL',
    `The sandbox has no rate for ${currency}. Use one of ${Object.keys(sandboxRates).join(', ')}.`,
    { issues: [options.field] },
  )
}

/** Returns undefined for a currency without a rate. */
export function convertRatedCents(cents: bigint, { from, to, round }: Conversion): bigint | undefined {
  const a = rateOf(from)
  const b = rateOf(to)
  if (a === undefined || b === undefined) return undefined
  if (from === to) return cents
  return divide(cents * b.digits * 10n ** BigInt(a.places), a.digits * 10n ** BigInt(b.places), round)
}

/** Takes numbers that are not negative. */
export function divide(dividend: bigint, divisor: bigint, round: 'up' | 'down'): bigint {
  return (dividend + (round === 'up' ? divisor - 1n : 0n)) / divisor
}

function rateOf(currency: Currency): { digits: bigint; places: number } | undefined {
  if (!Object.hasOwn(sandboxRates, currency)) return undefined
  // The caller has checked that the currency is a key of the table.
  return exactDecimal(Number(sandboxRates[currency as RatedCurrency]))
}
