import type { Currency } from '../../../../redeemkit/schema/currency.ts'
import { problem } from '../../http/problem.ts'
import { exactDecimal } from './exactDecimal.ts'
import { type RatedCurrency, sandboxRates } from './sandboxRates.ts'

type Conversion = { from: Currency; to: Currency; round: 'up' | 'down' }

/**
 * Cents of one currency in cents of another, at the sandbox's fixed rates. A cent is the hundredth of a unit in every currency.
 *
 * @param options.round what becomes of a part of a cent: what customers pay goes up, what they are given goes down
 * @throws ServiceProblem `UNSUPPORTED_SUBTOTAL` for a currency without a rate
 */
export function convertCents(cents: bigint, options: Conversion & { field: string }): bigint {
  const converted = convertRatedCents(cents, options)
  if (converted !== undefined) return converted
  const currency = rateOf(options.from) === undefined ? options.from : options.to
  throw problem(
    'UNSUPPORTED_SUBTOTAL',
    `The sandbox has no rate for ${currency}; it knows ${Object.keys(sandboxRates).join(', ')}.`,
    { issues: [options.field] },
  )
}

/** The same; undefined for a currency without a rate. */
export function convertRatedCents(cents: bigint, { from, to, round }: Conversion): bigint | undefined {
  const a = rateOf(from)
  const b = rateOf(to)
  if (a === undefined || b === undefined) return undefined
  if (from === to) return cents
  return divide(cents * b.digits * 10n ** BigInt(a.places), a.digits * 10n ** BigInt(b.places), round)
}

/** Quotient of two numbers that are not negative, in whole units. */
export function divide(dividend: bigint, divisor: bigint, round: 'up' | 'down'): bigint {
  return (dividend + (round === 'up' ? divisor - 1n : 0n)) / divisor
}

function rateOf(currency: Currency): { digits: bigint; places: number } | undefined {
  if (!Object.hasOwn(sandboxRates, currency)) return undefined
  // One of the table's own keys, as was just looked up.
  return exactDecimal(Number(sandboxRates[currency as RatedCurrency]))
}
