import { createPublicKey, verify } from 'node:crypto'
import { StrKey } from '@stellar/stellar-sdk'

/**
 * Whether an ed25519 signature passes the check of the network's nodes. It does not multiply by the cofactor, as the SDK's own check
 * does, which accepts signatures that no node accepts.
 */
export function isSignedStrictly(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const x = Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, digest, key, signature)
}
