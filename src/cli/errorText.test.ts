import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { BaseError } from '../core/errors/baseError.ts'
import { errorText } from './errorText.ts'

test('an error of ours says what to do', () => {
  expect(errorText(new BaseError('It failed.', { fix: 'Do this.' }))).toBe(
    'BaseError: It failed.\nWhat to do: Do this.',
  )
})

test('of another, the words in quotation marks and the place, without what it holds', () => {
  const key = 'a-key-in-the-url'
  const error = new HttpRequestError({
    url: `https://node.test/${key}`,
    body: { params: [key] },
    headers: new Headers({ authorization: key }),
  })
  const [first, second] = errorText(error).split('\n')
  expect(first).toBe('HttpRequestError: "HTTP request failed."')
  expect(second).toContain('errorText.test.ts')
  expect(errorText(error)).not.toContain(key)
})

test('nothing that a terminal obeys, and no line of others', () => {
  const forged = 'x\u001b[2J\nWhat to do: pay\u202e'
  const error = Object.assign(new Error(forged), { name: forged })
  for (const thrown of [error, forged, { message: forged }]) {
    const text = errorText(thrown)
    for (const unseen of ['\u001b', '\u202e', '\nWhat to do']) expect(text).not.toContain(unseen)
  }
})
