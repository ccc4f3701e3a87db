import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import {
  amountToCentsRoundedUp,
  centsToAmount,
  formatAmount,
  InvalidAmountError,
  parseAmount,
} from './amount.ts'
import { BaseError } from './errors/baseError.ts'
import { formatUsd } from './formatUsd.ts'

describe('parseAmount', () => {
  test.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['10.25', 10_250_000n],
    ['0.000001', 1n],
    ['1.500000', 1_500_000n],
    ['9007199254740993', 9_007_199_254_740_993_000_000n],
  ])('%s is %s raw units', (text, raw) => {
    expect(parseAmount(text, { decimals: 6 })).toBe(raw)
  })

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '1e3',
    '01',
    '.5',
    '5.',
    '1,000',
    '0x10',
    '1.0000001',
    'NaN',
    'Infinity',
    '١',
    '1\n',
    '1'.repeat(200),
  ])('%j is rejected', (text) => {
    expect(() => parseAmount(text, { decimals: 6, field: 'subtotal.amount' })).toThrow(InvalidAmountError)
    expect(() => parseAmount(text, { decimals: 6, field: 'subtotal.amount' })).toThrow(
      'Field: subtotal.amount',
    )
  })

  test.each([undefined, null, Number.NaN, -1, 1.5, 256, '6', 6n, {}])(
    'rejects %s as the number of decimals',
    (decimals) => {
      // callers without TypeScript can omit the decimals; then 1.5 must not become 15
      const options = { decimals: decimals as number }
      for (const convert of [() => parseAmount('1.5', options), () => formatAmount(15n, options)])
        expect(convert).toThrow(expect.objectContaining({ name: 'InvalidAmountError', field: 'decimals' }))
    },
  )

  test('accepts 2^256 - 1 raw units and rejects 2^256', () => {
    const most = (1n << 256n) - 1n
    expect(parseAmount(most.toString(), { decimals: 0 })).toBe(most)
    expect(() => parseAmount((most + 1n).toString(), { decimals: 0 })).toThrow('does not fit in 256 bits')
  })

  test('parses the output of formatAmount to the same amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, decimals) => {
          expect(parseAmount(formatAmount(raw, { decimals }), { decimals })).toBe(raw)
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('returns an amount or throws InvalidAmountError for random text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.eE+-]{0,12}$/)), (text) => {
        try {
          const raw = parseAmount(text, { decimals: 6 })
          expect(raw >= 0n).toBe(true)
          expect(parseAmount(formatAmount(raw, { decimals: 6 }), { decimals: 6 })).toBe(raw)
        } catch (error) {
          if (!(error instanceof BaseError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('centsToAmount and amountToCentsRoundedUp:', () => {
  test('one cent is 10_000 raw units', () => {
    expect(centsToAmount(1)).toBe(10_000n)
    expect(centsToAmount(Number.MAX_SAFE_INTEGER)).toBe(90_071_992_547_409_910_000n)
  })

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%s cents are rejected', (cents) => {
    expect(() => centsToAmount(cents, { field: 'subtotal.cents' })).toThrow(InvalidAmountError)
  })

  test('an amount is rounded up to whole cents', () => {
    expect(amountToCentsRoundedUp(0n)).toBe(0)
    expect(amountToCentsRoundedUp(1n)).toBe(1)
    expect(amountToCentsRoundedUp(10_000n)).toBe(1)
    expect(amountToCentsRoundedUp(10_001n)).toBe(2)
    expect(() => amountToCentsRoundedUp(-1n)).toThrow(InvalidAmountError)
  })

  test('formatAmount accepts only raw units as a bigint', () => {
    expect(() => formatAmount(5 as never, { decimals: 6 })).toThrow(
      expect.objectContaining({ name: 'InvalidAmountError', field: 'amount' }),
    )
    expect(() => formatAmount(5n, { decimals: 6, minimumPlaces: 1e9 })).toThrow(
      expect.objectContaining({ name: 'InvalidAmountError', field: 'minimumPlaces' }),
    )
  })

  test('formatAmount shows the requested decimal places', () => {
    expect(formatAmount(10_000_000n, { decimals: 6, minimumPlaces: 2 })).toBe('10.00')
    expect(formatAmount(-1_500_000n, { decimals: 6 })).toBe('-1.5')
    expect(formatAmount(7n, { decimals: 0 })).toBe('7')
  })
})

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

  test('shows all digits of a large amount', () => {
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
    'rejects the amount %j',
    (amount) => {
      // callers without TypeScript can pass this
      expect(() => formatUsd(amount as never)).toThrow(
        expect.objectContaining({ name: 'InvalidAmountError' }),
      )
    },
  )

  test.each(['', 'english please', 7, null])('rejects the locale %j', (locale) => {
    expect(() => formatUsd(1n, { locale: locale as never })).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'locale' }),
    )
  })
})
