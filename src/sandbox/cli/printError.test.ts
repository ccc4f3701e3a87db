import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { errorJson, errorText, readError } from './printError.ts'

const shown = (error: unknown) => errorText(readError(error))

test('a redeemkit error has its fix', () => {
  expect(shown(new BaseError('It failed.', { fix: 'Do this.' }))).toBe(
    'BaseError: It failed.\nWhat to do: Do this.',
  )
})

test('an option of a function is shown as its flag', () => {
  const error = new BaseError('forkUrl is empty.', { field: 'forkUrl', fix: 'Leave "forkUrl" out.' })
  expect(shown(error)).toBe(
    'BaseError: --fork-url is empty.\nField: --fork-url\nWhat to do: Leave --fork-url out.',
  )
})

test("a value of a contract's error keeps its name", () => {
  const texts = 'It fails: NotWhitelisted: creditSeed "shop", merchantId 3.'
  expect(shown(new BaseError(texts))).toBe(`BaseError: ${texts}`)
})

test('for a program: one object on one line', () => {
  const error = new BaseError('It failed.', { field: 'dataDir', fix: 'Do\nthis.' })
  expect(errorJson(readError(error))).toBe(
    '{"error":{"name":"BaseError","message":"It failed.","field":"--data-dir","fix":"Do\\\\u{a}this."}}',
  )
})

test('another error: its quoted message and stack, without its properties', () => {
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

test('nothing that a terminal obeys, and no line of others', () => {
  const forged = 'x\u001b[2J\nWhat to do: pay\u202e'
  const error = Object.assign(new Error(forged), { name: forged })
  for (const thrown of [error, forged, { message: forged }]) {
    const text = shown(thrown)
    for (const unseen of ['\u001b', '\u202e', '\nWhat to do']) expect(text).not.toContain(unseen)
  }
})
