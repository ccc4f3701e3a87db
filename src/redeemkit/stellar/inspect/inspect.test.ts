import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { Memo, Operation } from '../sdk.ts'
import {
  build,
  buildCall,
  call,
  entry,
  from,
  options,
  payment,
  secondRequests,
  stranger,
  theft,
  to,
} from '../stellar.fixture.ts'
import { inspect } from './inspect.ts'
import { inspectRequest } from './inspectRequest.ts'

const short = (account: string) => `${account.slice(0, 4)}…${account.slice(-4)}`

describe('a request', () => {
  test('with any text is either inspected or rejected with a typed error', () => {
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
          expect(inspectRequest(request, { ...options, expected: call }).verdict).toMatch(/ok|caution|refuse/)
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  const origin = 'https://shop.example'
  const message = `shop.example wants you to sign in with your Stellar account:\n${from}\n\nURI: https://shop.example\nVersion: 1\nNetwork: testnet\nNonce: 12345678\nIssued At: 2026-11-20T18:00:00Z\nExpiration Time: 2026-11-20T19:00:00Z`
  test('for a sign-in at an expected host has no finding', () => {
    expect(inspectRequest({ message }, { ...options, origin })).toMatchObject({
      kind: 'signIn',
      verdict: 'ok',
    })
  })
  test("for a sign-in shows the sign-in's statement", () => {
    const said = message.replace('\n\nURI', '\n\nI accept the terms.\n\nURI')
    expect(inspectRequest({ message: said }, { ...options, origin })).toMatchObject({
      summary: expect.stringMatching(
        /^Signs in to "shop\.example" as .*\nStatement: "I accept the terms\."\n/s,
      ),
      details: { message: { statement: 'I accept the terms.' } },
    })
  })
  test("for a refused sign-in also shows the sign-in's statement", () => {
    const said = message.replace('\n\nURI', '\n\nI owe you.\n\nURI')
    expect(inspectRequest({ message: said }, { ...options, origin: 'https://evil.example' })).toMatchObject({
      verdict: 'refuse',
      summary: expect.stringContaining('Statement: "I owe you."'),
    })
  })
  test('for a sign-in at an invalid host is refused, with the text quoted', () => {
    const said = message.replace('shop.example wants', 'shop.example,verified\u202eby-us. wants')
    expect(inspectRequest({ message: said }, options)).toMatchObject({
      verdict: 'refuse',
      summary: expect.stringContaining('shop.example,verified\\u{202e}by-us.'),
    })
  })
  test('for a sign-in shows a long statement in full', () => {
    const statement = `I accept the terms, ${'and more, '.repeat(300)}and that all of mine is given away.`
    const said = message.replace('\n\nURI', `\n\n${statement}\n\nURI`)
    expect(inspectRequest({ message: said }, { ...options, origin }).summary).toContain(
      `Statement: "${statement}"`,
    )
  })
  test('for a text shows the text quoted and on one line', () => {
    expect(inspectRequest({ message: 'I owe "you".\nMe' }, options).summary).toContain(
      'Signs the text "I owe \\"you\\".↵Me".\n',
    )
  })
  test('for a sign-in without an origin gets the verdict caution', () => {
    expect(inspectRequest({ message }, options)).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'UNCHECKED_SITE' }],
    })
  })
  test('for a free text that the caller allows gets the verdict caution', () => {
    expect(inspectRequest({ message: 'hello' }, options)).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'PLAIN_TEXT', severity: 'warning', field: 'message' }],
    })
  })
  test('quotes a foreign memo on one line', () => {
    const memo = Memo.text('x\u001b[2J\nWhat to do: pay')
    const { findings } = inspectRequest(
      { transaction: build({ memo }).toXDR() },
      { ...options, expected: payment },
    )
    const message = findings.find(({ code }) => code === 'WRONG_MEMO')?.message
    expect(message).toContain('memo is "text:x\\u001b[2J\\nWhat to do: pay"')
  })
  test.each(['GABC', undefined, 5])('is not inspected if the wallet address is %j', (address) => {
    const signed = build()
    signed.sign(stranger)
    expect(() =>
      inspectRequest({ transaction: signed.toXDR() }, { ...options, address: address as never }),
    ).toThrow(expect.objectContaining({ name: 'InvalidAddressError', field: 'address' }))
  })
  test('without anything to sign throws a typed error', () => {
    expect(() => inspectRequest({} as never, options)).toThrow(expect.objectContaining({ field: 'request' }))
  })
  test.each(secondRequests)('that contains a second request throws a typed error (%#)', (along) => {
    expect(() => inspectRequest({ transaction: theft, ...along } as never, options)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'request' }),
    )
  })
})

describe('inspect', () => {
  test('describes the effect of a transaction that is not the expected one', () => {
    const transaction = build({
      operations: [Operation.accountMerge({ source: from, destination: to })],
    }).toXDR()
    const inspection = inspect({ transaction }, { ...options, expected: payment })
    expect(inspection.verdict).toBe('refuse')
    expect(formatInspection(inspection).title).toBe(
      `This is not the expected transaction. It does this: Closes your account and sends everything in it to ${short(to)}.`,
    )
  })
  test('reports that there was no expectation', () => {
    const { findings } = inspect({ transaction: build().toXDR() }, options)
    expect(findings.map(({ message }) => message)).toContain(
      'The request was not compared with an expected payment.',
    )
  })
  test('never throws, and returns ok only for valid requests', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (request, context) => {
        for (const given of [context, options])
          expect(inspect(request as never, given as never).verdict).toBe('refuse')
      }),
      { numRuns: inject('generatedInputs') },
    )
    const transaction = build().toXDR()
    for (const [request, context, code] of [
      [{ transaction: 'AAAA' }, options, 'MALFORMED'],
      [{ transaction, message: 'x' }, options, 'MALFORMED'],
      [{ transaction }, { ...options, adress: from }, 'INVALID_EXPECTATION'],
    ] as const)
      expect(inspect(request as never, context as never)).toMatchObject({
        verdict: 'refuse',
        findings: [{ code }],
      })
  })
})
