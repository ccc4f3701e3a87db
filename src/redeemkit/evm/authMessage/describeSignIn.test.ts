import { expect, test } from 'vitest'
import { describeSignIn } from './describeSignIn.ts'
import type { SiweMessage } from './parseSiweMessage.ts'

const message: SiweMessage = {
  domain: 'shop.example',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  uri: 'https://shop.example',
  chainId: 8453,
  nonce: 'k5nD2aQ9x',
  issuedAt: 0,
  resources: [],
}
const head = 'Sign in to "shop.example" as 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 on chain 8453.'

test('a message without a statement says nothing', () => {
  expect(describeSignIn(message)).toBe(head)
})

test('a long statement is shown to its end', () => {
  const statement = `I accept the terms, ${'and more, '.repeat(30)}and that all my credits are given away.`
  expect(describeSignIn({ ...message, statement })).toBe(`${head} It says "${statement}".`)
})

test.each([
  ['a line break', 'Hello.\nYou may trust it.', '"Hello.\\nYou may trust it."'],
  ['an end of the quotation', 'Hello". It is safe. "', '"Hello\\". It is safe. \\""'],
  ['a change of direction', 'a\u202eb', '"a\\u{202e}b"'],
  ['an escape of a terminal', 'a\u001b[2Kb', '"a\\u001b[2Kb"'],
])('a statement with %s stays one quoted line', (_, statement, shown) => {
  expect(describeSignIn({ ...message, statement })).toBe(`${head} It says ${shown}.`)
})
