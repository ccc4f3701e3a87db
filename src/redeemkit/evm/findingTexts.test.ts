import { describe, expect, test } from 'vitest'
import {
  accountFindings,
  chainText,
  dateText,
  dollars,
  expiryFindings,
  hasInvisible,
  invisibleFindings,
  nameOf,
  permit2,
  quote,
  shortened,
  span,
  usd,
} from './findingTexts.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('amounts have at least two decimal places, and are never rounded', () => {
  expect(dollars(10_250_000n)).toBe('10.25 USD')
  expect(dollars(1n, 'USDC')).toBe('0.000001 USDC')
  expect(usd(1_906_030_000n)).toBe('$1,906.03')
  for (const [amount, written] of [
    [999_000_000n, '$999.00'],
    [1_000_000_000n, '$1,000.00'],
    [1_234_567_890_100n, '$1,234,567.8901'],
    [100_000_000_000n, '$100,000.00'],
  ] as const)
    expect(usd(amount)).toBe(written)
})

test('a known chain is shown by its name, an unknown chain by its id', () => {
  expect([chainText(8453), chainText(8453n), chainText(31337)]).toEqual(['Base', 'Base', 'chain 31337'])
})

test.each([
  [0n, '0 s'],
  [119n, '119 s'],
  [120n, '2 minutes'],
  [7_199n, '119 minutes'],
  [7_200n, '2 hours'],
  [172_799n, '47 hours'],
  [172_800n, '2 days'],
  [36_500n * 86_400n, '36500 days'],
  [36_501n * 86_400n, 'more than a century'],
])('%i seconds are %s', (seconds, text) => {
  expect(span(seconds)).toBe(text)
})

test('a time is shown as a date until the year 9999, then in unix seconds', () => {
  expect(dateText(1_795_176_000n)).toBe('2026-11-20 12:00:00 UTC')
  expect(dateText(253_402_300_799n)).toBe('9999-12-31 23:59:59 UTC')
  expect(dateText(253_402_300_800n)).toBe('253402300800 (unix seconds)')
})

test('a past or near expiry is a danger; the caller chooses the severity of a late expiry', () => {
  const codes = (validBefore: bigint) =>
    expiryFindings(validBefore, 100n, { field: 'x', minimum: 30n, maximum: 600n, severity: 'warning' }).map(
      ({ severity, code, message }) => [severity, code, message],
    )
  expect(codes(100n)).toEqual([['danger', 'EXPIRED', 'The request expired 0 s ago.']])
  expect(codes(99n)).toEqual([['danger', 'EXPIRED', 'The request expired 1 s ago.']])
  expect(codes(130n)).toEqual([['danger', 'EXPIRES_TOO_SOON', 'The request expires in 30 s.']])
  expect([codes(131n), codes(700n)]).toEqual([[], []])
  expect(codes(701n)).toEqual([
    ['warning', 'EXPIRES_TOO_LATE', 'The request is valid for 11 minutes; at most 10 minutes is usual.'],
  ])
})

describe('the name that is shown for an address', () => {
  const pinned = [
    { creditsContract: other, name: 'Moonrise', merchantId: 'moon', creditSeed: 'seed' },
    { receivers: [wallet], merchantId: 'sun', creditSeed: 'seed' },
    { receivers: ['0x01'], creditSeed: 'stars' },
  ]
  test.each<[string, string, object, string | undefined]>([
    ["is the wallet's name for it", other, { known: { [other]: 'Alice' }, pinned }, '"Alice"'],
    [
      "is the wallet's name for it, in lower or upper case",
      other.toLowerCase(),
      { known: { [other]: 'Alice' } },
      '"Alice"',
    ],
    ['is Permit2 for its address', permit2.toLowerCase(), { pinned }, 'Permit2'],
    ["is the pinned shop's name", other.toLowerCase(), { pinned }, '"Moonrise"'],
    ['is the merchant id if the pinned shop has no name', wallet, { pinned }, '"sun"'],
    ['is the credit seed if the pinned shop has no merchant id', '0x01', { pinned }, '"stars"'],
    ['is absent for an unknown address', '0x02', { known: { [other]: 'Alice' }, pinned }, undefined],
    ['is absent without names and pins', other, {}, undefined],
  ])('%s', (_, address, names, expected) => {
    expect(nameOf(address, names)).toBe(expected)
  })
})

describe('a text', () => {
  test('is quoted so that it cannot end the quotation or hide a character', () => {
    expect(quote('a "b" \\c')).toBe('"a \\"b\\" \\\\c"')
    expect(quote('a\u202eb\nc')).toBe('"a\\u{202e}b\\u{a}c"')
    expect(hasInvisible('plain text')).toBe(false)
    for (const sign of ['\u0000', '\u200b', '\ue000', '\u2028', '\u115f', '\u3164', '\u034f'])
      expect(hasInvisible(`a${sign}`)).toBe(true)
  })
  test('with invisible characters causes a finding', () => {
    expect(invisibleFindings('plain', 'x')).toEqual([])
    expect(invisibleFindings('a\u200b', 'x')).toMatchObject([{ severity: 'danger', field: 'x' }])
    expect(invisibleFindings('a\u200b', 'x', 'warning')).toMatchObject([{ severity: 'warning' }])
  })
  test('that is too long is cut in the middle, between words', () => {
    expect(shortened('a'.repeat(80))).toBe('a'.repeat(80))
    expect(shortened(`${'a'.repeat(54)}${'b'.repeat(27)}`)).toBe(`${'a'.repeat(54)}…${'b'.repeat(26)}`)
    expect(shortened('one two three four', 12)).toBe('one two …four')
    expect(shortened('one two three four five', 12)).toBe('one two …five')
    expect(shortened(`${'one '.repeat(4)}${'x'.repeat(20)} end`, 12)).toBe('one one … end')
    // a cut must not split a surrogate pair
    expect(shortened(`${'a'.repeat(7)}😀${'b'.repeat(10)}`, 12)).toBe(`${'a'.repeat(7)}…bbbb`)
    expect(shortened(`${'a'.repeat(10)}😀bbb`, 12)).toBe(`${'a'.repeat(8)}…bbb`)
  })
})

describe('the account that the request asks to sign', () => {
  const messages = (asked: unknown, given: object) =>
    accountFindings(asked, given).map(({ message }) => message)
  test('is the expected account, in lower or upper case', () => {
    expect(messages(wallet, { signer: wallet.toLowerCase(), address: wallet })).toEqual([])
    expect(messages(undefined, {})).toEqual([])
  })
  test.each<[string, unknown, object, string]>([
    ['is missing', undefined, { address: wallet }, 'The request does not name the account that signs.'],
    [
      "is not the wallet's account",
      other,
      { signer: other, address: wallet },
      `The request asks the account "${other}" to sign, not "${wallet}".`,
    ],
    [
      'is not the account that the signed content names',
      wallet,
      { signer: other, address: wallet },
      `The request asks the account "${wallet}" to sign, not "${other}".`,
    ],
    ['is not text', 7, { address: wallet }, `The request asks the account 7 to sign, not "${wallet}".`],
  ])('%s', (_, asked, given, expected) => {
    expect(messages(asked, given)).toEqual([expected])
  })
})
