import { randomBytes } from 'node:crypto'

/** Keys of a merchant that nobody chose. */
export function newKeys(): { apiKey: string; jwtSecret: string } {
  return {
    apiKey: `sk_sandbox_${randomBytes(24).toString('hex')}`,
    jwtSecret: randomBytes(32).toString('base64url'),
  }
}
