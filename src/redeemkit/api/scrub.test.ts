import { describe, expect, test } from 'vitest'
import { scrub } from './scrub.ts'

const signature = `0x${'9e1b7a04c2d85f36'.repeat(8)}1b`
const digits = signature.slice(2)
/** Base64, as a Stellar wallet signs, with symbols that URLs and JSON escape. */
const base64 = 'Qm/+x9Zk3/Tq+Vw8Rb1Y/uH+7sLd2Ee/0aGc+5iJnM6oPqX4tK/f=='
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** Returns the longest sequence of a secret's letters and digits that remains in the text, ignoring separators. */
function longestRest(shown: unknown, secret: string): number {
  const letters = (text: string) => text.replace(/[^0-9a-z]/gi, '').toLowerCase()
  const [text, whole] = [letters(JSON.stringify(shown).replaceAll('[removed]', '_')), letters(secret)]
  let longest = 0
  for (let from = 0; from < whole.length; from++)
    while (from + longest < whole.length && text.includes(whole.slice(from, from + longest + 1))) longest++
  return longest
}

const echoes: Record<string, (secret: string) => unknown> = {
  whole: (secret) => secret,
  'in upper case': (secret) => secret.toUpperCase(),
  'with upper and lower case swapped': (secret) =>
    [...secret]
      .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
      .join(''),
  'without its first two characters': (secret) => secret.slice(2),
  'with 0x before it': (secret) => `0x${secret}`,
  'its first half': (secret) => secret.slice(0, secret.length / 2),
  'its second half': (secret) => secret.slice(secret.length / 2),
  '12 characters of its middle': (secret) => secret.slice(11, 23),
  'its first 18 characters, as messages shorten it': (secret) =>
    `"${secret.slice(0, 18)}… (${secret.length} characters)"`,
  'r and s apart': (secret) => ({ r: secret.slice(2, 66), s: secret.slice(66, 130) }),
  'in two fields, one of them hidden': (secret) => ({
    message: secret.slice(0, 40),
    hidden: secret.slice(40),
  }),
  'in pieces of five, in a list': (secret) => secret.match(/.{1,5}/gs),
  'letter by letter, in fields': (secret) =>
    Object.fromEntries([...secret].map((sign, at) => [`f${at}`, sign])),
  'with spaces in it': (secret) => secret.replace(/.{4}/g, '$& '),
  'with line breaks in it': (secret) => secret.replace(/.{6}/g, '$&\n'),
  'with invisible characters in it': (secret) => secret.replace(/.{3}/g, '$&\u200b'),
  'URL-encoded': (secret) => encodeURIComponent(secret),
  'URL-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ secret })),
  'JSON-escaped': (secret) =>
    secret.replace(/[^0-9a-z]/gi, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  'in the middle of words': (secret) => `Signature ${secret} is wrong.`,
  'as the name of a field': (secret) => ({ [secret]: 1, [`x-${secret.slice(5, 40)}`]: 1 }),
  'deep inside': (secret) => ({ a: [{ b: { c: [secret] } }] }),
  'nested very deep': (secret) => JSON.parse(`${'['.repeat(70)}${JSON.stringify(secret)}${']'.repeat(70)}`),
}

for (const [secretName, secret] of Object.entries({ signature, digits, base64, jwt }))
  describe(`of the secret ${secretName}, fewer than 8 characters in a row remain`, () => {
    for (const [name, echo] of Object.entries(echoes))
      test(name, () => {
        expect(longestRest(echo(secret), secret)).toBeGreaterThanOrEqual(name.startsWith('letter by') ? 1 : 5)
        expect(longestRest(scrub(echo(secret), [secret]), secret)).toBeLessThan(8)
      })
  })

test('pieces in consecutive fields are recognized together', () => {
  const pieces = digits.match(/.{1,5}/g)
  expect(new Set(scrub(pieces, [signature]))).toEqual(new Set(['[removed]']))
})

test.each([
  ['URL-encoded', encodeURIComponent],
  [
    'JSON-escaped',
    (text: string) => text.replace(/[+/]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  ],
])('a secret whose characters are %s is removed as a whole', (_, encode) => {
  const secret = 'q1+w2/e3+r4/t5+y6/u7+i8/o9+p0/a1'
  expect(scrub(`not ${encode(secret)} here`, [secret])).toBe('not [removed] here')
})

test('digits in a number are removed', () => {
  expect(scrub({ pin: 8_314_159_265 }, ['8314159265'])).toEqual({ pin: '[removed]' })
})

test('other values and their types are unchanged', () => {
  const body = {
    message: 'Wallet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 lacks 1000000000 of 10.00',
    details: { total: 6_040_000, big: '100000000000', list: [1, true, null, 'ż'] },
    issues: ['signedMessages.permitCredits'],
  }
  // every long signature has zeros as padding
  expect(scrub(body, [`0x${'00'.repeat(31)}1b${digits}`, base64])).toEqual(body)
})

test('a signature of zeros is removed', () => {
  const zeros = `0x${'00'.repeat(65)}`
  expect(scrub(`bad ${zeros}`, [zeros])).toBe('bad [removed]')
})

test('a short secret, and a secret of symbols, is removed as a whole', () => {
  expect(scrub('key abc123!', ['abc123'])).toBe('key [removed]!')
  expect(scrub('key ??!!--??', ['??!!--??'])).toBe('key [removed]')
  expect(scrub('a banana', ['a'])).toBe('a banana')
})

test('control characters are escaped, in names and texts', () => {
  expect(scrub({ 'a\u001b[2J': ['b\u202e\n'] }, [])).toEqual({ 'a\\u{1b}[2J': ['b\\u{202e}\\u{a}'] })
})

test('a long body and a long signature take less than a second of CPU time', () => {
  const long = digits.repeat(100)
  const started = process.cpuUsage()
  scrub({ message: 'word '.repeat(20_000), echo: long }, [long, base64, jwt])
  const { user, system } = process.cpuUsage(started)
  expect(user + system).toBeLessThan(1_000_000)
})
