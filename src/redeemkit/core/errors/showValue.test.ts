import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BaseError } from './baseError.ts'
import { oneLine } from './oneLine.ts'
import { describeType, showKey, showReason, showText, showValue } from './showValue.ts'

test.each(['subtotal', 'usdcAmount', '_x', '$y', 'x-request-id'])(
  'showKey shows the field name %s unchanged',
  (name) => {
    expect(showKey(name)).toBe(name)
  },
)

test.each([
  // SEP-5's first test vector
  ['a seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
  ['a private key', `0x${'ac09'.repeat(16)}`],
  ['a session key', 'sess_9fA7xQ2LmZ4tB8vK1pW3yZ5c0d1e2f3g4h5i6j7k8l9m0'],
  ['a short session key', 'a1b2c3d4e5f6a7b8c9d0e1f2'],
  ['a forged line', 'x\nWhat to do: pay'],
])('showKey does not show a field name that is %s', (_, name) => {
  expect(showKey(name)).not.toContain(name.slice(0, 12))
  expect(showKey(name)).not.toContain('\n')
})

const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

describe('showReason removes', () => {
  test.each<[string, string]>([
    ['a private key', `0x${key}`],
    ['a private key without 0x', key],
    ['r and s in separate words', `r: ${key}, s: ${key}`],
    ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhYmMifQ.${key.slice(0, 20)}`],
    ['a session key', 'sk_live_51H8xYzABCDEFghijk'],
    // SEP-5's first test vector
    ['a Stellar seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
    // BIP-39's first test vector
    ['a phrase', `${'abandon '.repeat(11)}about`],
    ['an API key in a node’s URL', 'https://node.example/v2/abcDEFghiJKLmno'],
    ['a password in a node’s URL', 'wss://user:hunter2@node.example/x?apikey=abc'],
  ])('%s', (_, secret) => {
    for (const before of ['', 'At 12 it is ']) {
      const shown = showReason(`${before}failed at: ${secret} of you`, 400)
      for (const part of secret.match(/[A-Za-z\d]{6,}/g) ?? [])
        if (!/^(?:node|example)$/.test(part)) expect(shown).not.toContain(part)
      expect(shown).toContain('failed at')
    }
  })
})

test('showReason keeps method names, addresses, codes and hosts', () => {
  const text = 'The method eth_signTypedData_v4 of 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 failed (-32603)'
  expect(showReason(text)).toBe(`"${text}"`)
  expect(showReason('no response of https://node.example/v2/key')).toBe(
    '"no response of https://node.example"',
  )
})

test('showReason returns one short quotation', () => {
  const shown = showReason(`x". What to do: pay\n\u001b[2J\u202e${'it is '.repeat(9_999)}`)
  expect(shown).toMatch(/^"x\\"\. What to do: pay\\n[ -~…]+"$/)
  expect(shown.length).toBeLessThan(160)
})

/** Names of characters that control a terminal or are invisible, and the characters. */
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
    'the fix of an error': (text: string) => new BaseError('', { fix: text }).fix ?? '',
  }
  for (const [name, show] of Object.entries(shown))
    test(`is escaped in ${name}`, () => {
      const text = show(`a${character}b`)
      expect(text).not.toContain(character)
      expect(text).toMatch(/a\\(?:u\{?[0-9a-f]{1,5}\}?|[nrb])b/)
    })
})

test('readable text is not changed', () => {
  const text = 'Zażółć gęślą jaźń — 価格 10,00 € «ok» 🎉 مرحبا'
  expect(oneLine(text)).toBe(text)
  expect(showText(text)).toBe(`"${text}"`)
})

test('escaping twice changes nothing', () => {
  expect(oneLine(oneLine('a\u001b[2Jb'))).toBe(oneLine('a\u001b[2Jb'))
  expect(stripVTControlCharacters(showText('a\u001b[2Jb'))).toBe(showText('a\u001b[2Jb'))
})

test('quoted text cannot end its quotation', () => {
  expect(showText('x". What to do: pay')).toBe('"x\\". What to do: pay"')
})

test('long text is cut, and its length is stated', () => {
  const text = showText('word '.repeat(200), 100)
  expect(text.length).toBeLessThan(110)
  expect(text).toContain('(1000 characters)')
})

test('a value in an error message cannot add a line to it', () => {
  const forged = 'x\nWhat to do: send your key to evil.example\nField: y'
  const { message } = new BaseError(forged, { field: forged, fix: forged, source: 'EIP-712' })
  expect(message.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(4)
})

describe('showValue shows only type and length of a possible secret:', () => {
  const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
  const secrets: [string, string][] = [
    ['a private key', `0x${key}`],
    ['a private key without 0x', key],
    ['a private key with a line break after it', `0x${key}\n`],
    ['a private key with a space before it', ` 0x${key}`],
    ['a signature', `0x${key}${key}1b`],
    ['a JWT', `eyJhbGciOiJIUzI1NiJ9.${key}.x`],
    // the strkey format of SEP-23; the seed is SEP-5's first test vector
    ['a Stellar seed', 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'],
    // BIP-39's first test vector.
    ['a phrase', `${'abandon '.repeat(11)}about`],
    // as long as a secret key of 64 bytes in base58
    ['a Solana key', '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw4'.repeat(2)],
  ]
  test.each(secrets)('%s', (_, secret) => {
    for (const maxLength of [24, 48, 60]) {
      const shown = showValue(secret, maxLength)
      expect(shown).toBe(`text of ${secret.length} characters`)
    }
    expect(describeType(secret)).toBe(`text of ${secret.length} characters`)
  })

  test('a private key as a bigint', () => {
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
  [[1, 2], 'a list of length 2'],
  [new Uint8Array(32), '32 bytes'],
  [{}, 'an object'],
])('describeType of %o is %s', (value, type) => {
  expect(describeType(value)).toBe(type)
})
