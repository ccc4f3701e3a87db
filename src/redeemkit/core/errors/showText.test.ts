import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BaseError } from './baseError.ts'
import { describeType } from './describeType.ts'
import { oneLine } from './oneLine.ts'
import { showText } from './showText.ts'
import { showValue } from './showValue.ts'

/** What a terminal obeys or a reader cannot see, by what it is. */
const unseen: [string, string][] = [
  ['line feed', '\n'],
  ['carriage return', '\r'],
  ['next line', '\u0085'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['escape', '\u001b'],
  ['8-bit control sequence introducer', '\u009b'],
  ['backspace', '\b'],
  ['null', '\0'],
  ['delete', '\u007f'],
  ['right-to-left override', '\u202e'],
  ['right-to-left isolate', '\u2067'],
  ['right-to-left mark', '\u200f'],
  ['Arabic letter mark', '\u061c'],
  ['zero-width space', '\u200b'],
  ['zero-width joiner', '\u200d'],
  ['word joiner', '\u2060'],
  ['byte order mark', '\ufeff'],
  ['soft hyphen', '\u00ad'],
  ['Hangul filler', '\u3164'],
  ['variation selector', '\u{e0100}'],
  ['tag letter', '\u{e0041}'],
  ['private use', '\ue000'],
  ['half a surrogate pair', '\ud800'],
]

describe.each(unseen)('%s', (_, character) => {
  const shown = {
    oneLine: (text: string) => oneLine(text),
    showText: (text: string) => showText(text),
    showValue: (text: string) => showValue(text),
    'the message of an error': (text: string) => new BaseError(text).message,
    'the field of an error': (text: string) => new BaseError('', { field: text }).field ?? '',
    'the advice of an error': (text: string) => new BaseError('', { fix: text }).fix ?? '',
  }
  for (const [name, show] of Object.entries(shown))
    test(`is written out by ${name}`, () => {
      const text = show(`a${character}b`)
      expect(text).not.toContain(character)
      expect(text).toMatch(/a\\(?:u\{?[0-9a-f]{1,5}\}?|[nrb])b/)
    })
})

test('what can be read stays as it is', () => {
  const text = 'Zażółć gęślą jaźń — 価格 10,00 € «ok» 🎉 مرحبا'
  expect(oneLine(text)).toBe(text)
  expect(showText(text)).toBe(`"${text}"`)
})

test('written out once, it stays so', () => {
  expect(oneLine(oneLine('a\u001b[2Jb'))).toBe(oneLine('a\u001b[2Jb'))
  expect(stripVTControlCharacters(showText('a\u001b[2Jb'))).toBe(showText('a\u001b[2Jb'))
})

test('a quotation cannot be ended from inside', () => {
  expect(showText('x". What to do: pay')).toBe('"x\\". What to do: pay"')
})

test('long text is cut, and says how long it was', () => {
  const text = showText('word '.repeat(200), 100)
  expect(text.length).toBeLessThan(110)
  expect(text).toContain('(1000 characters)')
})

test('no line of an error can be forged', () => {
  const forged = 'x\nWhat to do: send your key to evil.example\nField: y'
  const { message } = new BaseError(forged, { field: forged, fix: forged, docs: 'EIP-712' })
  expect(message.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(4)
})

describe('what may be a secret is told by its type and length', () => {
  const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const secrets: [string, string][] = [
    ['a private key', `0x${key}`],
    ['a private key without 0x', key],
    ['a private key as a file ends', `0x${key}\n`],
    ['a private key with a space before it', ` 0x${key}`],
    ['a signature', `0x${key}${key}1b`],
    ['a JWT', `eyJhbGciOiJIUzI1NiJ9.${key}.x`],
    // SEP-23's form; the seed is SEP-5's first test vector.
    ['a Stellar seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
    // BIP-39's first test vector.
    ['a phrase', `${'abandon '.repeat(11)}about`],
    // base58 of 64 bytes
    ['a Solana key', '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw4'.repeat(2)],
  ]
  test.each(secrets)('%s', (_, secret) => {
    for (const maxLength of [24, 48, 60]) {
      const shown = showValue(secret, maxLength)
      expect(shown).toBe(`text of ${secret.length} characters`)
    }
    expect(describeType(secret)).toBe(`text of ${secret.length} characters`)
  })

  test('a key as a number', () => {
    expect(showValue(BigInt(`0x${key}`))).toBe('a number of 77 characters')
    expect(describeType(BigInt(`0x${key}`))).toBe('a bigint')
  })
})

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  ['', 'text of 0 characters'],
  [1, 'a number'],
  [true, 'a boolean'],
  [() => 1, 'a function'],
  [Symbol('x'), 'a symbol'],
  [[1, 2], 'a list of 2'],
  [new Uint8Array(32), '32 bytes'],
  [{}, 'an object'],
])('the type of %s', (value, type) => {
  expect(describeType(value)).toBe(type)
})
