import type { Currency } from '../../../../schema/currency.ts'
import { problem } from '../../http/problem.ts'
import { exactDecimal } from './exactDecimal.ts'
import { type RatedCurrency, sandboxRates } from './sandboxRates.ts'

/**
 * Cents of one currency in cents of another, at the sandbox's fixed rates. A cent is the hundredth of a unit in every currency.
 *
 * @param options.round what becomes of a part of a cent: what customers pay goes up, what they are given goes down
 * @throws ServiceProblem `UNSUPPORTED_SUBTOTAL` for a currency without a rate
 */
export function convertCents(
  cents: bigint,
  options: { from: Currency; to: Currency; round: 'up' | 'down'; field: string },
): bigint {
  const { from, to, round, field } = options
  const a = rateOf(from, field)
  const b = rateOf(to, field)
  if (from === to) return cents
  return divide(cents * b.digits * 10n ** BigInt(a.places), a.digits * 10n ** BigInt(b.places), round)
}

/** Quotient of two numbers that are not negative, in whole units. */
export function divide(dividend: bigint, divisor: bigint, round: 'up' | 'down'): bigint {
  return (dividend + (round === 'up' ? divisor - 1n : 0n)) / divisor
}

function rateOf(currency: Currency, field: string): { digits: bigint; places: number } {
  if (!Object.hasOwn(sandboxRates, currency))
    throw problem(
      'UNSUPPORTED_SUBTOTAL',
      `The sandbox has no rate for ${currency}; it knows ${Object.keys(sandboxRates).join(', ')}.`,
      { issues: [field] },
    )
  // One of the table's own keys, as was just looked up.
  return exactDecimal(Number(sandboxRates[currency as RatedCurrency]))
}
