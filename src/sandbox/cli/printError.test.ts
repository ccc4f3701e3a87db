import { HttpRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { OutcomeUnknownError } from '../../redeemkit/api/errors.ts'
import { readServiceError } from '../../redeemkit/api/readServiceError.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { RedeemWouldFailError } from '../../redeemkit/redeem/errors.ts'
import { ruleFinding } from '../simulation/rules/rule.ts'
import { report } from '../simulation/text/report.fixture.ts'
import { errorJson, errorText, readError } from './printError.ts'
import { errorBesideReport } from './printReport.ts'

const shown = (error: unknown) => errorText(readError(error))

test('prints a redeemkit error with its fix', () => {
  expect(shown(new BaseError('It failed.', { fix: 'Do this.' }))).toBe(
    'BaseError: It failed.\nWhat to do: Do this.',
  )
})

test('replaces option names with flags', () => {
  const error = new BaseError('forkUrl is empty.', { field: 'forkUrl', fix: 'Leave "forkUrl" out.' })
  expect(shown(error)).toBe(
    'BaseError: --fork-url is empty.\nField: --fork-url\nWhat to do: Leave --fork-url out.',
  )
})

test("does not replace option names in a contract's error", () => {
  const texts = 'It fails: NotWhitelisted: creditSeed "shop", merchantId 3.'
  expect(shown(new BaseError(texts))).toBe(`BaseError: ${texts}`)
})

test('prints one JSON object on one line', () => {
  const error = new BaseError('It failed.', { field: 'dataDir', fix: 'Do\nthis.' })
  expect(errorJson(readError(error))).toBe(
    '{"error":{"name":"BaseError","message":"It failed.","field":"--data-dir","fix":"Do\\\\u{a}this."}}',
  )
})

test('prints only the quoted message and the stack of an error that is not redeemkit’s', () => {
  const key = 'a-key-in-the-url'
  const error = new HttpRequestError({
    url: `https://node.test/${key}`,
    body: { params: [key] },
    headers: new Headers({ authorization: key }),
  })
  const [first, second] = shown(error).split('\n')
  expect(first).toBe('HttpRequestError: "HTTP request failed."')
  expect(second).toContain('printError.test.ts')
  expect(shown(error)).not.toContain(key)
})

test('escapes control characters and line breaks', () => {
  const forged = 'x\u001b[2J\nWhat to do: pay\u202e'
  const error = Object.assign(new Error(forged), { name: forged })
  for (const thrown of [error, forged, { message: forged }]) {
    const text = shown(thrown)
    for (const unseen of ['\u001b', '\u202e', '\nWhat to do']) expect(text).not.toContain(unseen)
  }
})

describe('errorBesideReport', () => {
  const unread = 'it reverted with an unknown error (selector 0x16d6142c).'
  const findings = [ruleFinding('danger', 'CALL_REVERTS', 'The call fails: SoldOut: left 0.')]
  const shown = (error: unknown, change = { findings }) =>
    errorText(errorBesideReport(error, { report: report(change), sandbox: 'http://127.0.0.1:4242' }))

  test('gives the reason of the report for a redeem that would fail', () => {
    const error = new RedeemWouldFailError([ruleFinding('danger', 'CALL_REVERTS', unread)])
    expect(shown(error)).toBe('RedeemWouldFailError: The call fails: SoldOut: left 0. Nothing was signed.')
  })

  test('warns that a rejected permit may still execute, and that running the command again pays again', () => {
    const cause = readServiceError(412, { code: 'SIMULATION_FAILED', message: unread })
    expect(
      shown(new OutcomeUnknownError(cause, { nonce: '0x80', validBefore: '1800000000' })).split('\n'),
    ).toEqual([
      'OutcomeUnknownError: The service returned 412 SIMULATION_FAILED. The call fails: SoldOut: left 0.',
      'What to do: The permit was submitted, and can execute once until 2027-01-15T08:00:00.000Z: see http://127.0.0.1:4242/dashboard. Running this command again makes another payment.',
    ])
  })

  test('prints an error that the report does not explain', () => {
    const error = new RedeemWouldFailError([ruleFinding('danger', 'CALL_REVERTS', unread)])
    expect(shown(error, { findings: [] })).toContain(unread)
    expect(shown(new BaseError('It failed.', { fix: 'Do this.' }))).toBe(
      'BaseError: It failed.\nWhat to do: Do this.',
    )
  })
})
