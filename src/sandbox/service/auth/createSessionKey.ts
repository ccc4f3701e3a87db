import { createHmac, randomBytes } from 'node:crypto'

/**
 * A new session key, in the form that services in the field give it and programs of others read: a JWT (RFC 7519) with
 * the merchant, the end user and the expiry. This service itself knows a key by its hash in the store and reads nothing
 * out of it, so the secret that signs one is of no further use and is not kept.
 */
export function createSessionKey(claims: createSessionKey.Claims): string {
  const { expiresAt, issuedAt, ...named } = claims
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ ...named, iat: seconds(issuedAt), exp: seconds(expiresAt) }),
  ].join('.')
  return `${content}.${createHmac('sha256', randomBytes(32)).update(content).digest('base64url')}`
}

export declare namespace createSessionKey {
  type Claims = {
    merchantId: string
    userId?: string | undefined
    wallet?: string | undefined
    blockchain?: string | undefined
    issuedAt: Date
    expiresAt: Date
  }
}
