import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { formatBase64, parseBase64 } from './base64.ts'
import { InvalidBase64Error } from './errors/inputErrors.ts'

const field = 'transaction'
const anyBytes = fc.uint8Array({ minLength: 1, maxLength: 1300 })

test('parseBase64 reverses formatBase64', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(parseBase64(formatBase64(bytes), field)).toEqual(bytes)
    }),
    { numRuns: 500 },
  )
})

test('formatBase64 gives the same text as Buffer', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(formatBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    }),
    { numRuns: 500 },
  )
})

test.each(['', 'AB', 'ABC', 'AB==\n', ' AB==', 'AB=', 'A===', 'AR==', '-_==', 'é'])(
  'parseBase64 rejects %j',
  (text) => {
    expect(() => parseBase64(text, field)).toThrow(InvalidBase64Error)
  },
)

test('parseBase64 accepts only what formatBase64 returns', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9+/=]*$/)), (text) => {
      try {
        expect(formatBase64(parseBase64(text, field))).toBe(text)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidBase64Error)
      }
    }),
    { numRuns: inject('generatedInputs') },
  )
})
