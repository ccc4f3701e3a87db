import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { signAuthMessage } from '../index.ts'
import { base, forbidden, other, text, wallet } from './authMessage.fixture.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'

describe('the sign-in text', () => {
  test('any text parses or throws a typed error', () => {
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
  test('a text with any character changed parses to other fields or throws a typed error', () => {
    fc.assert(
      fc.property(fc.nat(text().length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, char) => {
        const changed = text().slice(0, at) + char + text().slice(at + 1)
        try {
          if (changed !== text()) expect(parseAuthMessage(changed)).not.toEqual(parseAuthMessage(text()))
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('the sign-in text', () => {
  test.each<[string, Record<string, string>, string, string]>([
    ['another domain', { domain: 'evil.example' }, 'domain', 'AuthMessageMismatchError'],
    ['a longer domain', { domain: 'shop.example.evil.example' }, 'domain', 'AuthMessageMismatchError'],
    ['another wallet', { address: other.publicKey() }, 'address', 'AuthMessageMismatchError'],
    ['another network', { network: 'pubnet' }, 'network', 'AuthMessageMismatchError'],
    ['another site', { uri: 'https://evil.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another port', { uri: 'https://shop.example:8443' }, 'uri', 'AuthMessageMismatchError'],
    [
      'user info in the domain',
      { uri: 'https://shop.example@evil.example' },
      'uri',
      'AuthMessageMismatchError',
    ],
    ['user info in the URI', { uri: 'https://me@shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another scheme', { uri: 'javascript:alert(1)' }, 'uri', 'AuthMessageMismatchError'],
    ['no URI', { uri: 'shop.example' }, 'uri', 'AuthMessageMismatchError'],
    [
      'a URI that parsers split differently',
      { uri: 'https://shop.example\\@evil.example' },
      'uri',
      'AuthMessageMismatchError',
    ],
    ['backslashes before the host', { uri: 'https:\\\\shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['a host in full-width letters', { uri: 'https://\uff53hop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['empty user info', { uri: 'https://@shop.example' }, 'uri', 'AuthMessageMismatchError'],
    ['another version', { version: '2' }, 'message', 'InvalidAuthMessageError'],
    ['a short nonce', { nonce: '1234567' }, 'message', 'InvalidAuthMessageError'],
    ['a nonce with punctuation', { nonce: '12345678-9' }, 'message', 'InvalidAuthMessageError'],
    ['a line at the end', { end: '\n' }, 'message', 'InvalidAuthMessageError'],
    ['extra lines at the end', { end: '\nResources:\n- x' }, 'message', 'InvalidAuthMessageError'],
    ['a statement of two lines', { statement: 'One\nTwo\n\n' }, 'message', 'InvalidAuthMessageError'],
    [
      'a statement with invisible characters',
      { statement: 'One\u202etwo\n\n' },
      'message',
      'InvalidAuthMessageError',
    ],
    ['carriage returns', { statement: 'One\r\n\r\n' }, 'message', 'InvalidAuthMessageError'],
    ['issued later', { issued: '2026-11-20T18:10:00.001Z' }, 'issuedAt', 'AuthMessageExpiredError'],
    ['an invalid date', { issued: '2026-02-30T18:06:00Z' }, 'issuedAt', 'InvalidAuthMessageError'],
    ['a date without zone', { issued: '2026-11-20T17:59:00' }, 'issuedAt', 'InvalidAuthMessageError'],
    ['expired', { expires: '2026-11-20T18:00:00.000Z' }, 'expirationTime', 'AuthMessageExpiredError'],
    [
      'validity of more than a day',
      { expires: '2026-11-21T18:00:00.001Z' },
      'expirationTime',
      'AuthMessageExpiredError',
    ],
    ['never expiring', { expires: '9999-12-31T23:59:59Z' }, 'expirationTime', 'AuthMessageExpiredError'],
    [
      'an expiry before its issue',
      { issued: '2026-11-20T18:04:00Z', expires: '2026-11-20T18:03:00Z' },
      'expirationTime',
      'AuthMessageExpiredError',
    ],
  ])('a text is refused before any prompt: %s', async (_, changes, field, name) => {
    for (const allowPlainText of [false, true])
      await expect(
        signAuthMessage(forbidden, { ...base, message: text(changes), allowPlainText }),
      ).rejects.toMatchObject({ name, field })
  })
  test.each([
    ['checked a millisecond before it expires', { expires: '2026-11-20T18:00:00.001Z' }],
    ['without a statement', { statement: '' }],
    ['for a site without TLS', { uri: 'http://shop.example' }],
  ])('a text %s is accepted', async (_, changes) => {
    expect(await signAuthMessage(wallet, { ...base, message: text(changes) })).toHaveProperty('expiresAt')
  })
  test.each([undefined, null, 'shop.example', [5]])('is refused if the allowed hosts are %j', async (bad) => {
    for (const allowPlainText of [false, true])
      await expect(
        signAuthMessage(forbidden, { ...base, message: text(), domains: bad as never, allowPlainText }),
      ).rejects.toMatchObject({ name: 'InvalidOptionError', field: 'domains' })
  })
})
