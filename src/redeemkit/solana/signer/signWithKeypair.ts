import { ed25519 } from '@noble/curves/ed25519.js'
import type { KeypairSigner } from './solanaSigner.ts'

/** The ed25519 signature of these bytes by a web3.js `Keypair`. */
export function signWithKeypair({ secretKey }: KeypairSigner, bytes: Uint8Array): Uint8Array {
  return ed25519.sign(bytes, secretKey.slice(0, 32))
}
