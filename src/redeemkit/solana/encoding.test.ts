import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { formatBase58, InvalidBase58Error, parseBase58 } from './encoding.ts'

const field = 'text'

describe('base58', () => {
  test.each([
    ['00', '1'],
    ['61', '2g'],
    ['626262', 'a3gV'],
    ['516b6fcd0f', 'ABnLTmg'],
    ['00000000000000000000', '1111111111'],
    // Origin: the Base58 draft of the IETF (draft-msporny-base58), and Bitcoin's own test vectors.
    ['00eb15231dfceb60925886b67d065299925915aeb172c06647', '1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L'],
  ])('encodes %s as %s', (hex, text) => {
    expect(formatBase58(Buffer.from(hex, 'hex'))).toBe(text)
    expect(Buffer.from(parseBase58(text, { field })).toString('hex')).toBe(hex)
  })

  test('encodes no bytes as empty text', () => {
    expect(formatBase58(new Uint8Array())).toBe('')
  })

  test('agrees with web3.js on keys', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const text = formatBase58(bytes)
        expect(text).toBe(new PublicKey(bytes).toBase58())
        expect(parseBase58(text, { field, length: 32 })).toEqual(bytes)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test('parse(format(x)) ≡ x', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80, minLength: 1 }), (bytes) => {
        expect(parseBase58(formatBase58(bytes), { field })).toEqual(bytes)
      }),
    )
  })

  test('format(parse(t)) ≡ t; any other text throws InvalidBase58Error', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[1-9A-Za-z]*$/)),
        (text) => {
          try {
            expect(formatBase58(parseBase58(text, { field }))).toBe(text)
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidBase58Error)
          }
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })

  test.each(['', '0', 'O', 'I', 'l', ' 1', '1\n', 'é', '1'.repeat(1701)])('refuses %j', (text) => {
    expect(() => parseBase58(text, { field })).toThrow(InvalidBase58Error)
  })

  test('reports the byte count of a truncated text', () => {
    const text = formatBase58(new Uint8Array(64).fill(7))
    expect(() => parseBase58(text.slice(0, -3), { field: 'signature', length: 64 })).toThrow(
      /holds 62 bytes, not 64[\s\S]*Field: signature/,
    )
  })
})
