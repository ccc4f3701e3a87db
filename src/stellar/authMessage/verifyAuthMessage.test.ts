import { describe, expect, test } from 'vitest'
import { verifyAuthMessage } from '../index.ts'
import { environment, text, wallet } from './authMessage.fixture.ts'
import { messageDigest } from './messageDigest.ts'

describe('a signature', () => {
  const options = { environment, address: wallet.publicKey(), message: text() } as const
  test.each([
    ['empty text', '', 'InvalidBase64Error'],
    ['other text', 'not base64', 'InvalidBase64Error'],
    [
      'truncated base64',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6BA=',
      'InvalidBase64Error',
    ],
    [
      'too short',
      'fO5dbYhXUhBMhe6kId/cuVq/AfEnHRHEvsP8vXh03M1uLpi5e46yO2Q8rEBzu3feXQewcQE5GArp88u6ePK6',
      'InvalidSignatureError',
    ],
    ['65 bytes', Buffer.alloc(65).toString('base64'), 'InvalidSignatureError'],
  ])('that is none (%s) is a typed error', (_, signedMessage, name) => {
    expect(() => verifyAuthMessage({ ...options, signedMessage })).toThrow(expect.objectContaining({ name }))
  })
  test('of 64 bytes that no key made is false', () => {
    expect(verifyAuthMessage({ ...options, signedMessage: Buffer.alloc(64).toString('base64') })).toBe(false)
  })
  test.each([undefined, null, 5])('of %s in the place of a text is a typed error', (message) => {
    const signature = wallet.sign(Buffer.from(messageDigest(String(message))))
    expect(() =>
      verifyAuthMessage({
        ...options,
        message: message as never,
        signedMessage: signature.toString('base64'),
      }),
    ).toThrow(expect.objectContaining({ name: 'InvalidAuthMessageError', field: 'message' }))
  })
  test('of an address that is none is a typed error', () => {
    expect(() => verifyAuthMessage({ ...options, address: 'G', signedMessage: 'AAAA' })).toThrow(
      expect.objectContaining({ name: 'InvalidAddressError' }),
    )
  })
})
