import { ed25519 } from '@noble/curves/ed25519.js'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { SolanaPerson } from './solanaPerson.ts'

/** The person with this seed (32 bytes). */
export function personOf(seed: Uint8Array): SolanaPerson {
  const publicKey = ed25519.getPublicKey(seed)
  const address = formatBase58(publicKey)
  return {
    address,
    publicKey: { toBase58: () => address },
    secretKey: Uint8Array.from([...seed, ...publicKey]),
  }
}
