import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from './errors/baseError.ts'
import { fromJson, toJson } from './json.ts'
import { InvalidJsonError, parseJson, UnsafeJsonNumberError } from './parseJson.ts'

const key = fc.oneof(
  fc.string(),
  fc.constantFrom('$bigint', '$$bigint', '$', '__proto__', 'toJSON', 'constructor'),
)
const { plain } = fc.letrec((tie) => ({
  plain: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, '123', '-0'),
    fc.bigInt(),
    fc.string({ unit: 'grapheme' }),
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
      .map((value) => (value === 0 ? 0 : value)),
    fc.array(tie('plain'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('plain')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}))

describe('toJson and fromJson', () => {
  test('restore any plain data', () => {
    fc.assert(
      fc.property(plain, (value) => {
        // not `toEqual`: Vitest would take a field named `constructor` for a class
        expect(isDeepStrictEqual(fromJson(toJson(value)), value)).toBe(true)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('encode a bigint so that text cannot be mistaken for it', () => {
    expect(toJson({ charged: 6_030_000n, text: '6030000' })).toBe(
      '{"charged":{"$bigint":"6030000"},"text":"6030000"}',
    )
    const lookalike = { $bigint: '6030000' }
    expect(fromJson(toJson(lookalike))).toStrictEqual(lookalike)
  })

  test('omit undefined fields', () => {
    expect(fromJson(toJson({ hash: '0x', outcome: undefined }))).toStrictEqual({ hash: '0x' })
  })

  const class_ = new (class Money {})()
  test.each([
    ['a function', { a: { b: [() => 1] } }, 'a.b[0]'],
    ['a date', { at: new Date(0) }, 'at'],
    ['a map', { m: new Map() }, 'm'],
    ['an instance', { m: class_ }, 'm'],
    ['NaN', [Number.NaN], '[0]'],
    ['infinite', { n: Number.POSITIVE_INFINITY }, 'n'],
    ['an already rounded integer', { n: 2 ** 53 }, 'n'],
    ['undefined in a list', [undefined], '[0]'],
    ['undefined', undefined, undefined],
    ['a symbol', Symbol('x'), undefined],
    ['a bigint of 401 digits', { n: 10n ** 400n }, 'n'],
  ])('toJson rejects %s', (_, value, field) => {
    expect(() => toJson(value)).toThrow(expect.objectContaining({ name: 'InvalidRecordError', field }))
  })

  test('toJson rejects circular data', () => {
    const circle: Record<string, unknown> = {}
    circle.a = circle
    expect(() => toJson(circle)).toThrow(expect.objectContaining({ name: 'InvalidRecordError' }))
  })

  test.each([
    ['no JSON', '{', 'InvalidJsonError'],
    ['no text', 1, 'InvalidJsonError'],
    ['a number that would be rounded', '{"a":9007199254740993}', 'UnsafeJsonNumberError'],
    ['a bigint that is a number', '{"$bigint":1}', 'InvalidJsonError'],
    ['hex digits', '{"$bigint":"0x10"}', 'InvalidJsonError'],
    ['a leading zero', '{"$bigint":"01"}', 'InvalidJsonError'],
    ['minus zero', '{"$bigint":"-0"}', 'InvalidJsonError'],
    ['no digits', '{"$bigint":""}', 'InvalidJsonError'],
    ['a bigint with another field', '{"$bigint":"1","a":1}', 'InvalidJsonError'],
    ['an unknown key with $', '{"$date":"1"}', 'InvalidJsonError'],
    ['too many digits', `{"$bigint":"${'9'.repeat(401)}"}`, 'InvalidJsonError'],
    ['deeply nested lists', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'InvalidJsonError'],
  ])('fromJson rejects %s', (_, text, name) => {
    expect(() => fromJson(text as string)).toThrow(expect.objectContaining({ name }))
  })

  test('fromJson never changes a prototype', () => {
    const read = fromJson<object>('{"__proto__":{"polluted":true}}')
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('fromJson returns data or throws a redeemkit error for random text', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      plain.map(toJson).map((json) => json.replace('"', '')),
    )
    fc.assert(
      fc.property(text, (one) => {
        try {
          fromJson(one)
        } catch (error) {
          if (!(error instanceof BaseError)) throw error
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

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
  ])('accepts %s', (text) => {
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
  ])('rejects %s, which would be rounded', (text) => {
    expect(() => parseJson(text)).toThrow(UnsafeJsonNumberError)
  })

  test('a long number is parsed quickly', () => {
    const start = performance.now()
    expect(() => parseJson(`1.${'0'.repeat(150_000)}1`)).toThrow(UnsafeJsonNumberError)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  test.each(['', '{', 'undefined', '<html>', "{'a':1}", '01', '{"a":1,}'])('%j is not JSON', (text) => {
    const parse = () => parseJson(text, { field: 'message' })
    expect(parse).toThrow(InvalidJsonError)
    // The text can also be a request or an argument, so the fix does not call it a response.
    expect(parse).toThrow('Check that the text is complete')
  })

  test.each([
    ['plain text', () => JSON.stringify('ab'.repeat(2 ** 23))],
    ['escapes', () => JSON.stringify('\n"'.repeat(2 ** 22))],
    ['nesting', () => `${'['.repeat(50_000)}1${']'.repeat(50_000)}`],
  ])('handles a long text of %s without overflowing the stack', (_, long) => {
    try {
      parseJson(long())
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidJsonError)
    }
  })

  test('rejects anything but text', () => {
    // Callers without TypeScript can pass anything.
    for (const value of [undefined, null, 7, ['1'], {}])
      expect(() => parseJson(value as unknown as string)).toThrow(InvalidJsonError)
  })

  test('accepts only text that JSON.parse accepts, and never returns a rounded number', () => {
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

  test('returns a value or throws a redeemkit error for random text', () => {
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
