import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { createSessionKey } from './createSessionKey.ts'

const claims = {
  merchantId: 'shop',
  userId: 'alice',
  wallet: undefined,
  issuedAt: new Date('2026-05-01T12:00:00.900Z'),
  expiresAt: new Date('2026-05-02T12:00:00.900Z'),
}

test('is a JWT that names merchant, end user and expiry', async () => {
  const key = await createSessionKey(claims)
  expect(decodeProtectedHeader(key)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(decodeJwt(key)).toEqual({
    merchantId: 'shop',
    userId: 'alice',
    iat: Date.UTC(2026, 4, 1, 12) / 1000,
    exp: Date.UTC(2026, 4, 2, 12) / 1000,
  })
})

test('is another one each time', async () => {
  expect(await createSessionKey(claims)).not.toBe(await createSessionKey(claims))
})
