import { ed25519 } from '@noble/curves/ed25519.js'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'

/** A test account: a signer for redeemkit, and `Keypair.fromSecretKey(account.secretKey)` for web3.js. */
export type SolanaTestAccount = {
  address: string
  publicKey: { toBase58(): string }
  secretKey: Uint8Array
}

/** Derives the test account of a 32-byte seed. */
export function testAccountOf(seed: Uint8Array): SolanaTestAccount {
  const publicKey = ed25519.getPublicKey(seed)
  const address = formatBase58(publicKey)
  return {
    address,
    publicKey: { toBase58: () => address },
    secretKey: Uint8Array.from([...seed, ...publicKey]),
  }
}
