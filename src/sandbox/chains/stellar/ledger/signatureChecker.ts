import { Keypair, type xdr } from '@stellar/stellar-sdk'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import type { AccountState } from '../entries/state.ts'

/** Counts the weight that the signatures of one envelope have on accounts, and remembers which were of use. */
export type SignatureChecker = {
  /** Whether the signatures reach the threshold; at least one must count, also for a threshold of 0. */
  reaches: (account: AccountState, threshold: number) => boolean
  /** Whether every signature has counted for something. */
  allUsed: () => boolean
}

/** Makes a checker for the signatures over one hash. */
export function signatureChecker(
  signatures: readonly xdr.DecoratedSignature[],
  digest: Buffer,
): SignatureChecker {
  const used = new Set<number>()
  return {
    reaches(account, threshold) {
      const weights = new Map(account.signers)
      if (account.masterWeight > 0) weights.set(account.address, account.masterWeight)
      let total = 0
      for (const [index, decorated] of signatures.entries()) {
        for (const [address, weight] of weights) {
          const signer = Keypair.fromPublicKey(address)
          if (!signer.signatureHint().equals(decorated.hint())) continue
          if (!isSignedStrictly(address, digest, decorated.signature())) continue
          used.add(index)
          weights.delete(address)
          total += weight
          if (total >= threshold) return true
          break
        }
      }
      return false
    },
    allUsed: () => used.size === signatures.length,
  }
}
