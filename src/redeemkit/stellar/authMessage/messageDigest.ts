import { hash } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding.ts'

/** SEP-53: the digest that a text's signature signs. */
export function messageDigest(message: string): Uint8Array {
  return hash(asBuffer(new TextEncoder().encode(`Stellar Signed Message:\n${message}`)))
}
