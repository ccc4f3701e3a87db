import type { xdr } from '@stellar/stellar-sdk'
import { Keypair } from '../../../../redeemkit/stellar/sdk.ts'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import type { AccountState } from '../entries/state.ts'

/** Counts the weight of an envelope's signatures for accounts, and remembers which were used. */
export type SignatureChecker = {
  /** Whether the signatures reach the threshold. At least one must count, even for threshold 0. */
  reaches: (account: AccountState, threshold: number) => boolean
  allUsed: () => boolean
}

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
