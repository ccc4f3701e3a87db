import { Keypair } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding.ts'

/** Whether `signature` is the key's of this address over these bytes. */
export function isSignedBy(address: string, digest: Uint8Array, signature: Uint8Array): boolean {
  return Keypair.fromPublicKey(address).verify(asBuffer(digest), asBuffer(signature))
}
