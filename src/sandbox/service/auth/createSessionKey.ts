import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'

/**
 * A new session key, in the form that services in the field give it and programs of others read: a JWT (RFC 7519) with
 * the merchant, the end user and the expiry. This service itself knows a key by its hash in the store and reads nothing
 * out of it, so the secret that signs one is of no further use and is not kept.
 */
export function createSessionKey(claims: createSessionKey.Claims): Promise<string> {
  const { expiresAt, issuedAt, ...named } = claims
  return new SignJWT(named)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(randomBytes(32))
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
