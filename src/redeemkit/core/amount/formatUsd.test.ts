import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { formatAmount } from './formatAmount.ts'
import { formatUsd } from './formatUsd.ts'

describe('formatUsd', () => {
  test.each([
    [0n, '$0.00'],
    [1n, '$0.000001'],
    [10_000n, '$0.01'],
    [15_000n, '$0.015'],
    [10_250_000n, '$10.25'],
    [999_999n, '$0.999999'],
    [1_234_567_890_000n, '$1,234,567.89'],
    [-500_000n, '-$0.50'],
    [-1_500_000n, '-$1.50'],
  ])('%s raw units are %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text)
  })

  test.each([
    ['pt-BR', 'US$\u00a01.234,50'],
    ['de-DE', '1.234,50\u00a0$'],
    ['ar-EG', '\u200f١٬٢٣٤٫٥٠\u00a0US$'],
  ])('in %s', (locale, text) => {
    expect(formatUsd({ cents: 123_450 }, { locale })).toBe(text)
  })

  test('shows all digits of the amount, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 256n), max: 1n << 256n }), (amount) => {
        expect(formatUsd(amount).replace(/[$,]/g, '')).toBe(
          formatAmount(amount, { decimals: 6, minimumPlaces: 2 }),
        )
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test.each([10.25, '10.25', null, undefined, { cents: 0.5 }, { cents: '5' }, {}])(
    '%j is no amount',
    (amount) => {
      // callers in JavaScript
      expect(() => formatUsd(amount as never)).toThrow(
        expect.objectContaining({ name: 'InvalidAmountError' }),
      )
    },
  )

  test.each(['', 'english please', 7, null])('%j is no locale', (locale) => {
    expect(() => formatUsd(1n, { locale: locale as never })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'locale' }),
    )
  })
})
