import type { KitSigner, SolanaSigner } from './solanaSigner.ts'

/** Whether a signer is one of `@solana/kit`: the only kind that has its address itself. */
export function isKitSigner(signer: SolanaSigner): signer is KitSigner {
  return typeof signer === 'object' && signer !== null && 'address' in signer && !('publicKey' in signer)
}
