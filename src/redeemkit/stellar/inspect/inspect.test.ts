import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { inspect } from '../index.ts'
import { Memo } from '../sdk.ts'
import { build, buildCall, call, entry, from, options, payment, stranger } from '../stellar.fixture.ts'
import { secondRequests, theft } from '../transaction/transaction.fixture.ts'

describe('a request', () => {
  test('of any text is inspected or a typed error, nothing else', () => {
    const good = [build().toXDR(), buildCall().toXDR(), entry().toXDR('base64')]
    const input = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      fc
        .tuple(fc.constantFrom(...good), fc.nat(), fc.integer({ min: 1, max: 255 }))
        .map(([text, at, flip]) => {
          const bytes = Buffer.from(text, 'base64')
          bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip
          return bytes.toString('base64')
        }),
    )
    fc.assert(
      fc.property(input, fc.constantFrom('transaction', 'authEntry'), (text, kind) => {
        try {
          const request = kind === 'transaction' ? { transaction: text } : { authEntry: text }
          expect(inspect(request, { ...options, expected: call }).verdict).toMatch(/ok|caution|refuse/)
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  const domains = ['shop.example']
  const message = `shop.example wants you to sign in with your Stellar account:\n${from}\n\nURI: https://shop.example\nVersion: 1\nNetwork: testnet\nNonce: 12345678\nIssued At: 2026-11-20T18:00:00Z\nExpiration Time: 2026-11-20T19:00:00Z`
  test('for a sign-in at an expected host has no finding', () => {
    expect(inspect({ message }, { ...options, domains })).toMatchObject({ kind: 'signIn', verdict: 'ok' })
  })
  test('for a sign-in tells its statement', () => {
    const said = message.replace('\n\nURI', '\n\nI accept the terms.\n\nURI')
    expect(inspect({ message: said }, { ...options, domains })).toMatchObject({
      summary: `Sign in at shop.example as ${from}. It says "I accept the terms.".`,
      details: { message: { statement: 'I accept the terms.' } },
    })
  })
  test('for a sign-in tells its statement when it is refused, too', () => {
    const said = message.replace('\n\nURI', '\n\nI owe you.\n\nURI')
    expect(inspect({ message: said }, options)).toMatchObject({
      verdict: 'refuse',
      summary: expect.stringContaining('It says "I owe you.".'),
    })
  })
  test('for a sign-in quotes an invalid host', () => {
    const said = message.replace('shop.example wants', 'shop.example,verified\u202eby-us. wants')
    expect(inspect({ message: said }, options).summary).toBe(
      `Sign in at "shop.example,verified\\u{202e}by-us." as ${from}.`,
    )
  })
  test('for a sign-in tells a long statement to its end', () => {
    const statement = `I accept the terms, ${'and more, '.repeat(300)}and that all of mine is given away.`
    const said = message.replace('\n\nURI', `\n\n${statement}\n\nURI`)
    expect(inspect({ message: said }, { ...options, domains }).summary).toContain(`It says "${statement}".`)
  })
  test('for a text tells the text, on one line and in quotes', () => {
    expect(inspect({ message: 'I owe "you".\nMe' }, options).summary).toBe(
      'Sign a text. It says "I owe \\"you\\".\\nMe".',
    )
  })
  test('for a sign-in is refused when no host is expected', () => {
    expect(inspect({ message }, options).verdict).toBe('refuse')
  })
  test('for a free text that the caller allows is caution', () => {
    expect(inspect({ message: 'hello' }, { ...options, allowPlainText: true })).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'PLAIN_TEXT', severity: 'warning', field: 'message' }],
    })
  })
  test('quotes a foreign memo on one line', () => {
    const memo = Memo.text('x\u001b[2J\nWhat to do: pay')
    const { findings } = inspect({ transaction: build({ memo }).toXDR() }, { ...options, expected: payment })
    const message = findings.find(({ code }) => code === 'WRONG_MEMO')?.message
    expect(message).toContain('memo is "text:x\\u001b[2J\\nWhat to do: pay"')
  })
  test.each(['GABC', undefined, 5])('is not inspected for %j as the wallet', (address) => {
    const signed = build()
    signed.sign(stranger)
    expect(() => inspect({ transaction: signed.toXDR() }, { ...options, address: address as never })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError', field: 'address' }),
    )
  })
  test('that asks for nothing is a typed error', () => {
    expect(() => inspect({} as never, options)).toThrow(expect.objectContaining({ field: 'request' }))
  })
  test.each(secondRequests)('with a second one beside it is a typed error (%#)', (along) => {
    expect(() => inspect({ transaction: theft, ...along } as never, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
    )
  })
})
