import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { text } from './authMessage.fixture.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'

describe('the sign-in text', () => {
  test('texts: parsed or the one error, and never something else', () => {
    const line = fc.oneof(
      fc.constantFrom('URI: https://a.b', 'Version: 1', 'Network: testnet', 'Nonce: 12345678', '', 'x'),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(line).map((lines) => lines.join('\n')),
        ),
        (input) => {
          try {
            parseAuthMessage(input)
          } catch (error) {
            expect(error).toBeInstanceOf(BaseError)
          }
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })
  test('changes of a character: another text or the one error', () => {
    fc.assert(
      fc.property(fc.nat(text().length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
        const changed = text().slice(0, at) + char + text().slice(at + 1)
        try {
          // Whatever one changed character leaves readable reads as something else.
          if (changed !== text()) expect(parseAuthMessage(changed)).not.toEqual(parseAuthMessage(text()))
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})
