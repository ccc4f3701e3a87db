import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import { address, issuedAt, lines, message, write } from './authMessage.fixture.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'

describe('parseAuthMessage', () => {
  test('reads the fields', () => {
    expect(parseAuthMessage(message)).toEqual({
      domain: 'pay.example',
      address,
      statement: lines.statement,
      uri: 'https://pay.example/api',
      chainId: 'solana:devnet',
      nonce: '0123456789abcdef',
      issuedAt,
      expiresAt: issuedAt + 86_400_000,
      notBefore: undefined,
    })
  })

  test('needs no statement', () => {
    expect(parseAuthMessage(message.replace(`${lines.statement}\n\n`, '')).statement).toBeUndefined()
  })

  test('reads the time before which it does not hold, ahead of a request id and resources', () => {
    const more = `\nNot Before: ${lines['Issued At']}\nRequest ID: 7\nResources:\n- https://a.example`
    expect(parseAuthMessage(write({}, more)).notBefore).toBe(issuedAt)
  })

  test.each([
    '',
    'hello',
    ` ${message}`,
    `${message}\n`,
    `${message} `,
    message.replaceAll('\n', '\r\n'),
    message.replace('Solana', 'Ethereum'),
    message.replace('Version: 1', 'Version: 2'),
    message.replace('Nonce: 0123456789abcdef\n', ''),
    message.replace('Nonce: ', 'Nonce:  '),
    message.replace('Chain ID', 'Chain Id'),
    write({ Nonce: '1234567' }),
    write({ Nonce: '12345678-' }),
    write({ domain: 'https://pay.example' }),
    write({ domain: 'user@pay.example' }),
    write({ statement: 'two\nlines' }),
    write({ statement: 'right-to-left \u202e' }),
    write({ 'Issued At': '2026-11-20 12:00:00Z' }),
    write({ 'Issued At': '2026-02-30T12:00:00Z' }),
    write({ 'Issued At': '2026-11-20T24:00:00Z' }),
    write({ 'Expiration Time': 'tomorrow' }),
    write({ 'Expiration Time': '1795000000' }),
    write({}, '\nUnknown: field'),
    undefined,
    7,
  ])('refuses %j', (text) => {
    // Garbage on purpose: what callers without types pass.
    expect(() => parseAuthMessage(text as never)).toThrow(InvalidAuthMessageError)
  })

  test('has one error for garbage, and for a good text with any change to its frame', () => {
    const change = fc.tuple(
      fc.nat({ max: message.length }),
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.nat({ max: 3 }),
    )
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), change), (input) => {
        const text =
          typeof input === 'string'
            ? input
            : message.slice(0, input[0]) + input[1] + message.slice(input[0] + input[2])
        try {
          const parsed = parseAuthMessage(text)
          expect(Number.isFinite(parsed.expiresAt + parsed.issuedAt)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidAuthMessageError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})
