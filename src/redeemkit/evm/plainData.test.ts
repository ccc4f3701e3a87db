import { describe, expect, test } from 'vitest'
import { readOwnField, readPlainData } from './plainData.ts'

const refused = (value: unknown) => {
  try {
    readPlainData(value, 'message')
  } catch (error) {
    const { name, field, shortMessage } = error as { name: string; field: string; shortMessage: string }
    return [name, field, shortMessage]
  }
  return undefined
}
const refusal = (field: string, message: string) => ['InvalidRecordError', field, message]
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
const tooLarge = 'The request is too large to be read.'

test('readPlainData copies plain data with all its values', () => {
  const value = { a: [1, 2n, null, undefined, true, 'x', { b: [] }], c: {} }
  const copy = readPlainData(value, 'message')
  expect(copy).toEqual(value)
  expect(copy).not.toBe(value)
  expect(readPlainData(Object.assign(Object.create(null), { a: 1 }), 'message')).toEqual({ a: 1 })
  for (const single of [1, 'x', null, undefined, 7n]) expect(readPlainData(single, 'message')).toBe(single)
})

describe('a request may have', () => {
  test('at most 64 levels of objects', () => {
    expect(refused(nested(64))).toBeUndefined()
    expect(refused(nested(65))).toEqual(refusal(`message${'.a'.repeat(65)}`, tooLarge))
  })
  test('at most 100,000 values', () => {
    // the array itself counts as a value
    expect(refused(Array(99_999).fill(1))).toBeUndefined()
    expect(refused(Array(100_000).fill(1))).toEqual(refusal('message."99999"', tooLarge))
  })
  test('at most a million characters', () => {
    const half = 'x'.repeat(500_000)
    expect(refused([half, half])).toBeUndefined()
    expect(refused([half, half, 'x'])).toEqual(refusal('message."2"', tooLarge))
  })
})

describe('readPlainData refuses a value that could differ when the wallet reads it:', () => {
  const pretending = Object.create({ toJSON: () => 1 }, {})
  test.each<[string, unknown, string, string]>([
    ['a function', { a: () => 1 }, 'message.a', 'The request contains a function, which is not data.'],
    ['a symbol', { a: Symbol('x') }, 'message.a', 'The request contains a symbol, which is not data.'],
    [
      'an instance of a class',
      { a: new Map() },
      'message.a',
      'The request contains an object that is not plain data.',
    ],
    [
      'an object with another prototype',
      { a: pretending },
      'message.a',
      'The request contains an object that is not plain data.',
    ],
    [
      'a list with gaps',
      { a: Object.assign(Array(3), { 0: 1, 2: 2 }) },
      'message.a',
      'The request contains a list with gaps.',
    ],
    [
      'a hidden field',
      Object.defineProperty({ b: 1 }, 'a', { value: 1, enumerable: false }),
      'message',
      'The field `a` is hidden (not enumerable).',
    ],
    [
      'a hidden field `length` of an object',
      Object.defineProperty({}, 'length', { value: 1, enumerable: false }),
      'message',
      'The field `length` is hidden (not enumerable).',
    ],
    [
      'a hidden field of a list',
      Object.defineProperty([1], 'a', { value: 1, enumerable: false }),
      'message',
      'The field `a` is hidden (not enumerable).',
    ],
    [
      'a getter',
      {
        get a() {
          return 1
        },
      },
      'message',
      'The field `a` is a getter, so its value can change after this check.',
    ],
    [
      '`toJSON`',
      { toJSON: () => 1 },
      'message',
      'The request has a `toJSON` method, so the wallet would sign something else.',
    ],
    [
      '`__proto__` as a field',
      JSON.parse('{"__proto__":{}}'),
      'message',
      'The request contains a field named `__proto__`. Wallets must not sign it.',
    ],
  ])('%s', (_, value, field, message) => {
    expect(refused(value)).toEqual(refusal(field, message))
  })
  test('a `toJSON` field that is not a function is accepted', () => {
    expect(readPlainData({ toJSON: 1 }, 'message')).toEqual({ toJSON: 1 })
  })
  test('the path in the error quotes unusual field names', () => {
    expect(refused({ 'a b\n': { c: () => 1 } })?.[1]).not.toContain('\n')
  })
})

test('readOwnField reads a field of an object, and refuses a getter', () => {
  expect([readOwnField({ a: 1 }, 'a'), readOwnField({}, 'a'), readOwnField({}, 'toString')]).toEqual([
    1,
    undefined,
    undefined,
  ])
  const computed = {
    get a() {
      return 1
    },
  }
  expect(() => readOwnField(computed, 'a')).toThrow(
    expect.objectContaining({
      name: 'InvalidRecordError',
      field: 'a',
      message: expect.stringContaining('The field `a` is a getter'),
    }),
  )
})
