import { describe, expect, test } from 'vitest'
import { checkAddress, checkNonZeroAddress } from './checkAddress.ts'
import {
  checkBoolean,
  checkChainId,
  checkHex,
  checkKeys,
  checkNotExpired,
  checkNotTooEarly,
  checkNotTooFarAhead,
  checkRecord,
  checkText,
  checkUint,
  parseUint,
} from './values.ts'

const most = 2n ** 256n - 1n
const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const fails = (name: string, field: string, message?: string) =>
  expect.objectContaining({
    name,
    field,
    ...(message !== undefined && { shortMessage: expect.stringContaining(message) }),
  })

test.each<
  [string, (value: unknown, field: string) => unknown, readonly unknown[], readonly unknown[], string]
>([
  ['a boolean', checkBoolean, [true, false], [0, 1, 'true', null, undefined], 'InvalidFlagError'],
  [
    'a chain id',
    checkChainId,
    [1, Number.MAX_SAFE_INTEGER],
    [0, -1, 1.5, 2 ** 53, '1', 1n, Number.NaN, undefined],
    'InvalidChainIdError',
  ],
  [
    'bytes',
    checkHex,
    ['0x', '0x00', '0xaBcD'],
    ['', '0x0', '0xzz', '00', ' 0x00', '0x00\n', ['0x00'], 0, null],
    'InvalidHexError',
  ],
  ['text', checkText, ['', 'a', '😀'], ['\ud800', 'a\udc00', 7, null, ['a']], 'InvalidTextError'],
  ['a uint256', checkUint, [0n, most], [-1n, most + 1n, 1, '1', null], 'InvalidAmountError'],
  [
    'an object',
    checkRecord,
    [{}, { a: 1 }, Object.create(null)],
    [null, undefined, [], 'a', 7, () => {}],
    'InvalidRecordError',
  ],
])('%s', (_, check, good, bad, name) => {
  for (const value of good) expect(check(value, 'x')).toBe(value)
  for (const value of bad) expect(() => check(value, 'x')).toThrow(fails(name, 'x'))
})

test('checkRecord refuses a proxy that throws, and says that it cannot be read', () => {
  const broken = new Proxy({}, { get: () => JSON.parse('{') })
  expect(() => checkRecord(broken, 'x')).toThrow(fails('InvalidRecordError', 'x', 'that can be read'))
  expect(() => checkRecord(7, '')).toThrow(expect.objectContaining({ field: undefined }))
})

test('checkHex can require an exact number of bytes', () => {
  expect(checkHex('0x1234', 'x', { bytes: 2 })).toBe('0x1234')
  expect(() => checkHex('0x12', 'x', { bytes: 2 })).toThrow(fails('InvalidHexError', 'x', 'has 1 bytes'))
  expect(() => checkHex('0x123456', 'x', { bytes: 2 })).toThrow(fails('InvalidHexError', 'x', 'has 3 bytes'))
})

test('parseUint accepts decimal text and safe integers', () => {
  for (const [value, amount] of [
    ['0', 0n],
    ['10', 10n],
    [0, 0n],
    [Number.MAX_SAFE_INTEGER, 2n ** 53n - 1n],
    [`${most}`, most],
  ] as const)
    expect(parseUint(value, 'x')).toBe(amount)
  for (const value of [
    ...['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1 ', `${most + 1n}`, '9'.repeat(79)],
    ...[-1, 1.5, 2 ** 53, Number.NaN, 1n, null, ['1']],
  ])
    expect(() => parseUint(value, 'x')).toThrow(fails('InvalidAmountError', 'x'))
})

describe('the fields of an object', () => {
  const keys = { required: ['a'], optional: ['b'] }
  test('must include all required fields and may include optional fields; undefined counts as absent', () => {
    for (const record of [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: undefined, c: undefined }])
      expect(checkKeys(record, 'x', keys)).toBe(record)
  })
  test.each<[string, object, string, string, string, string]>([
    ['missing', {}, 'x', 'MissingFieldError', 'x.a', 'Pass all of a.'],
    ['undefined', { a: undefined }, 'x', 'MissingFieldError', 'x.a', 'Pass all of a.'],
    ['inherited', Object.create({ a: 1 }), '', 'MissingFieldError', 'a', 'Pass all of a.'],
    ['misspelt', { A: 1 }, 'x', 'MissingFieldError', 'x.a', 'Pass all of a ("A" is not one of them).'],
    ['unknown', { a: 1, c: 2 }, 'x', 'UnknownFieldError', 'x.c', 'Omit it. Allowed: a, b.'],
  ])('are named in the error if one of them is %s', (_, record, field, name, path, fix) => {
    expect(() => checkKeys(record, field, keys)).toThrow(expect.objectContaining({ name, field: path, fix }))
  })
})

describe('validAfter and validBefore are exclusive:', () => {
  test('a value has expired at validBefore, and is refused within a margin before it', () => {
    expect(() => checkNotExpired(101n, 100n, 'x')).not.toThrow()
    expect(() => checkNotExpired(100n, 100n, 'x')).toThrow(
      fails('ExpiredError', 'x', 'The request expired at 100, 0 s ago.'),
    )
    expect(() => checkNotExpired(90n, 100n, 'x')).toThrow(
      fails('ExpiredError', 'x', 'The request expired at 90, 10 s ago.'),
    )
    expect(() => checkNotExpired(131n, 100n, 'x', 30n)).not.toThrow()
    expect(() => checkNotExpired(130n, 100n, 'x', 30n)).toThrow(
      fails('ExpiredError', 'x', 'The request expires in 30 s, but it must be valid for more than 30 s.'),
    )
  })
  test('a value is not yet valid at validAfter', () => {
    expect(() => checkNotTooEarly(99n, 100n, 'x')).not.toThrow()
    expect(() => checkNotTooEarly(100n, 100n, 'x')).toThrow(fails('NotYetValidError', 'x'))
  })
  test('a value may expire in exactly the maximum time, but not later', () => {
    expect(() => checkNotTooFarAhead(160n, 100n, 'x', 60n)).not.toThrow()
    expect(() => checkNotTooFarAhead(161n, 100n, 'x', 60n)).toThrow(
      fails('TooFarAheadError', 'x', 'The request expires in 61 s, but at most 60 s are allowed.'),
    )
  })
})

describe('checkAddress', () => {
  test('returns an address with its checksum', () => {
    for (const text of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])
      expect(checkAddress(text, 'x')).toBe(address)
  })
  test.each([
    address.replace('F', 'f'),
    `${address}00`,
    address.slice(0, -2),
    `x${address}`,
    address.slice(2),
    [address],
    7,
    null,
  ])('refuses %s', (value) => {
    expect(() => checkAddress(value, 'x')).toThrow(fails('InvalidAddressError', 'x'))
  })
  test('accepts the zero address, which checkNonZeroAddress refuses', () => {
    const zero = `0x${'0'.repeat(40)}`
    expect(checkAddress(zero, 'x')).toBe(zero)
    expect(() => checkNonZeroAddress(zero, 'x')).toThrow(fails('InvalidAddressError', 'x', 'zero address'))
    expect(checkNonZeroAddress(address, 'x')).toBe(address)
  })
})
