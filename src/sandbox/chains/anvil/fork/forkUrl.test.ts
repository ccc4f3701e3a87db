import { expect, test } from 'vitest'
import { hideForkUrl, hideForkUrlInAnswer, showForkUrl } from './forkUrl.ts'

const forkUrl = 'https://user%40x:p%C3%A4ss@base.example:8443/v2/the-secret%2Bkey?token=an%20other'

test.each([
  ['as it was given', `sending request for url (${forkUrl})`],
  [
    'without the user, as Anvil prints it',
    'url (https://base.example:8443/v2/the-secret%2Bkey?token=an%20other)',
  ],
  ['the path alone, as a 401 quotes it', 'HTTP error 401: bad key /v2/the-secret%2Bkey'],
  ['percent-decoded', 'unknown key the-secret+key'],
  ['the percent sign in lower case', 'unknown key the-secret%2bkey'],
  ['a value of the query, decoded', 'unknown token "an other"'],
  ['user and password', 'no user user@x with päss'],
  [
    'user and password as they are sent',
    `Authorization: Basic ${Buffer.from('user@x:päss').toString('base64')}`,
  ],
  ['in capitals', 'THE-SECRET%2BKEY'],
])('hides the key: %s', (_, text) => {
  const hidden = hideForkUrl(text, forkUrl)
  expect(hidden).not.toMatch(/the-secret|an.?(%20)?other|user(@|%40)x|p(ä|%c3%a4)ss|dXNlckB4/i)
  expect(hidden).toMatch(/<fork url>|<hidden>/)
})

test('keeps short words', () => {
  expect(hideForkUrl('method v2 of the base chain', forkUrl)).toBe('method v2 of the base chain')
})

test('keeps results unchanged apart from the URL', () => {
  const tail = `"result":{"code":"0x7468652d736563726574","name":"the-secret+key","forkUrl":"${forkUrl}"}}`
  expect(hideForkUrlInAnswer(tail, forkUrl)).toBe(tail.replace(forkUrl, '<fork url>'))
  expect(hideForkUrlInAnswer('"error":{"message":"the-secret+key"}}', forkUrl)).toBe(
    '"error":{"message":"<hidden>"}}',
  )
})

test.each([
  [forkUrl, 'https://base.example:8443/…'],
  ['http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
  ['https://0123456789abcdef0123456789abcdef.eth.rpc.example/', 'https://….eth.rpc.example'],
])('shows only the host of %s', (url, shown) => {
  expect(showForkUrl(url)).toBe(shown)
})
