import { describe, expect, test } from 'vitest'
import { clockSkewMs, isPlainText, isWithinLifetime, maxLifeMs } from './authMessage.ts'

describe('isPlainText', () => {
  test.each(['Hello', 'Pay 5 €\nnonce 12', 'wallet login: 7f3a', 'с приветом 👋'])('accepts %j', (text) => {
    expect(isPlainText(text)).toBe(true)
  })
  test.each([
    '',
    ' \n ',
    'a\u0000b',
    'a\tb',
    'a\r\nb',
    'pay 1\u202e000',
    'a\u200bb',
    'a\ud800b',
    'evil.example wants you to sign in with your Ethereum account:',
    'evil.example WANTS YOU TO SIGN IN WITH YOUR Ethereum account:',
    'evil.example wants  you to sign\nin with  your Solana account:',
    'x signin with your account',
  ])('rejects %j', (text) => {
    expect(isPlainText(text)).toBe(false)
  })
  test('rejects values that are not text', () => {
    for (const value of [undefined, null, 5, {}, ['a']]) expect(isPlainText(value)).toBe(false)
  })
})

describe('isWithinLifetime', () => {
  const now = 1_800_000_000_000
  test.each<[number, number, boolean]>([
    [now, now + maxLifeMs, true],
    [now, now + maxLifeMs + 1, false],
    [now, now + 1, true],
    [now, now, false],
    [now, now - 1, false],
    [now + clockSkewMs, now + clockSkewMs + 1, true],
    [now + clockSkewMs + 1, now + clockSkewMs + 2, false],
    [Number.NaN, now, false],
    [now, Number.NaN, false],
  ])('issued %s, valid until %s: %s', (issuedAt, expiresAt, fits) => {
    expect(isWithinLifetime({ issuedAt, expiresAt, now })).toBe(fits)
  })
})
