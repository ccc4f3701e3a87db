import { createPublicKey, verify } from 'node:crypto'
import { StrKey } from '../../../../redeemkit/stellar/sdk.ts'

/**
 * Whether the network's nodes accept an Ed25519 signature. Nodes verify without multiplying by the cofactor; the SDK
 * multiplies, so it accepts signatures that no node accepts.
 */
export function isSignedStrictly(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  const x = Buffer.from(StrKey.decodeEd25519PublicKey(address)).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, digest, key, signature)
}
