import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { InvalidJsonError, parseJson, UnsafeJsonNumberError } from './parseJson.ts'

describe('parseJson', () => {
  test.each([
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '1.50',
    '15e-1',
    '1e3',
    '[1,{"a":"9007199254740993"}]',
    '"\\"9007199254740993"',
  ])('%s is taken', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '{"amount":10000000000000000000}',
    '1e400',
    '[0,1e16]',
    '0.12345678901234567891',
    '9007199254740993.0',
  ])('%s would be rounded and is refused', (text) => {
    expect(() => parseJson(text)).toThrow(UnsafeJsonNumberError)
  })

  test.each(['', '{', 'undefined', '<html>', "{'a':1}", '01', '{"a":1,}'])('%j is not JSON', (text) => {
    expect(() => parseJson(text, { field: 'message' })).toThrow(InvalidJsonError)
  })

  test.each([
    ['plain text', () => JSON.stringify('ab'.repeat(2 ** 23))],
    ['escapes', () => JSON.stringify('\n"'.repeat(2 ** 22))],
    ['nesting', () => `${'['.repeat(50_000)}1${']'.repeat(50_000)}`],
  ])('a long text, of %s, is read or refused', (_, long) => {
    try {
      parseJson(long())
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidJsonError)
    }
  })

  test('anything but text is not JSON', () => {
    // Callers in JavaScript may pass anything.
    for (const value of [undefined, null, 7, ['1'], {}])
      expect(() => parseJson(value as unknown as string)).toThrow(InvalidJsonError)
  })

  test('accepts a subset of JSON.parse, and always safe values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        try {
          expect(parseJson(text)).toEqual(JSON.parse(text))
        } catch (error) {
          if (!(error instanceof UnsafeJsonNumberError)) throw error
          expect(/\d{16,}|e\+?\d{2}/.test(text)).toBe(true)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('any text is a value or a typed error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[[{"0-9.eE+\-,:}\]\\]{0,24}$/)), (text) => {
        try {
          parseJson(text)
        } catch (error) {
          if (!(error instanceof UnsafeJsonNumberError) && !(error instanceof InvalidJsonError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})
