import { createHash } from 'node:crypto'

/** SHA-256 of a secret, in hex: what the database keeps of it. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
