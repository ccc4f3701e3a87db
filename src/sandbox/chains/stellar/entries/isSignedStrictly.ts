import { StrKey } from '@stellar/stellar-sdk'
import nacl from 'tweetnacl'

/**
 * Whether an ed25519 signature is good by the check that the network's nodes make (libsodium's): without the cofactor, by
 * which the SDK's own check takes signatures that no node does.
 */
export function isSignedStrictly(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false
  return nacl.sign.detached.verify(
    Uint8Array.from(digest),
    Uint8Array.from(signature),
    Uint8Array.from(StrKey.decodeEd25519PublicKey(address)),
  )
}
