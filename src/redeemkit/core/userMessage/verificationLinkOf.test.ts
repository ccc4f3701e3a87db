import { expect, test } from 'vitest'
import { OutcomeUnknownError } from '../../api/errors.ts'
import { readServiceError } from '../../api/readServiceError.ts'
import { userMessage } from './userMessage.ts'
import { verificationLinkOf } from './verificationLinkOf.ts'

const refused = (verificationLink: unknown) => readServiceError(451, { details: { verificationLink } })
const link = 'https://kyc.example/a?b=c'

test.each([
  ['as it is', refused(link)],
  ['wrapped by a framework', new Error('wrapped', { cause: refused(link) })],
  [
    'of a payment that waits for it',
    new OutcomeUnknownError(refused(link), { nonce: '0x12', validBefore: '1700000600' }),
  ],
])('finds the link: %s', (_, error) => {
  expect(verificationLinkOf(error)).toBe(link)
})

test.each(['http://localhost:3000/a', 'http://127.0.0.1/a', 'http://[::1]:8080/'])(
  'of this machine: %s',
  (own) => {
    expect(verificationLinkOf(refused(own))).toBe(own)
  },
)

test.each([
  'http://kyc.example/a',
  'http://127.0.0.1.evil.example/',
  'javascript:alert(1)',
  'https://kyc example/',
  'text',
  '',
  undefined,
])('is not shown as a link: %s', (other) => {
  const error = refused(other)
  expect(verificationLinkOf(error)).toBeUndefined()
  expect(userMessage(error)).toContain('Contact the shop to find out how')
})

test.each([undefined, null, 'text', new Error('x'), { verificationLink: link }, readServiceError(403, {})])(
  'is none of another error: %o',
  (error) => {
    expect(verificationLinkOf(error)).toBeUndefined()
  },
)
