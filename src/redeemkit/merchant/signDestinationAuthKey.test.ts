import { decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { signDestinationAuthKey } from './signDestinationAuthKey.ts'

const secret = 'the secret of the shop, 32 characters'
const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const at = Date.parse('2026-05-01T12:00:00Z')

/** Verifies a token as a service does, at a given time. */
const read = async (token: string, time = at, key = secret) => {
  const bytes = new TextEncoder().encode(key)
  return (await jwtVerify(token, bytes, { algorithms: ['HS256'], currentDate: new Date(time) })).payload
}

describe('signDestinationAuthKey', () => {
  test('signs the address for 24 hours', async () => {
    const token = await signDestinationAuthKey({ address, secret, now: () => at })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(await read(token)).toEqual({ address, iat: at / 1000, exp: at / 1000 + 86_400 })
  })

  test('sets the time at which the token expires', async () => {
    const token = await signDestinationAuthKey({ address, secret, validForSeconds: 60, now: () => at })
    await read(token, at + 59_999)
    await expect(read(token, at + 60_000)).rejects.toThrow('exp')
  })

  test('signs with the secret', async () => {
    const token = await signDestinationAuthKey({ address, secret, now: () => at })
    await expect(read(token, at, `${secret}!`)).rejects.toThrow('signature')
    const least = 's'.repeat(32)
    await read(await signDestinationAuthKey({ address, secret: least, now: () => at }), at, least)
  })

  test.each([
    ['address', { address: '' }],
    ['address', { address: 'two words' }],
    ['secret', { secret: 'short-secret' }],
    ['secret', { secret: 's'.repeat(31) }],
    ['secret', { secret: undefined }],
    ['secret', { secret: Array(32).fill('s') }],
    ['validForSeconds', { validForSeconds: 0 }],
    ['validFor', { validFor: 60 }],
  ])('rejects an invalid %s, and shows no secret', async (field, wrong) => {
    const options = { address, secret, ...wrong }
    const error = await signDestinationAuthKey(options as never).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'InvalidOptionError', field })
    expect(String(error)).not.toMatch(/short-secret|the secret of the shop/)
  })
})
