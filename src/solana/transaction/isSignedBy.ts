import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeBase58 } from '../encoding/decodeBase58.ts'

/** Whether `signature` is the ed25519 signature of `message` by `address`, by the strict rules of a Solana node. */
export function isSignedBy(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const publicKey = decodeBase58(address, { field: 'address', length: 32 })
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
