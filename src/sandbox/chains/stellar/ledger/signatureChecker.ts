import { createHash } from 'node:crypto'
import type { xdr } from '@stellar/stellar-sdk'
import { Address, Keypair } from '../../../../redeemkit/stellar/sdk.ts'
import { isSignedStrictly } from '../entries/isSignedStrictly.ts'
import type { AccountState } from '../entries/state.ts'

/** Counts the weight of an envelope's signatures for accounts, and remembers which were used. */
export type SignatureChecker = {
  /** Whether the signatures reach the threshold. At least one must count, even for threshold 0. */
  reaches: (account: AccountState, threshold: number) => boolean
  /** Whether an extra signer has signed (CAP-21). */
  isSignedBy: (key: xdr.SignerKey) => boolean
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
    isSignedBy(key) {
      const index = signatures.findIndex((decorated) => isSignatureOf(key, decorated, digest))
      if (index >= 0) used.add(index)
      return index >= 0
    },
    allUsed: () => used.size === signatures.length,
  }
}

/** Whether a signature matches a signer: an Ed25519 key, a hash preimage, or a signed payload (CAP-40). */
function isSignatureOf(key: xdr.SignerKey, decorated: xdr.DecoratedSignature, digest: Buffer): boolean {
  const [hint, signature] = [decorated.hint(), decorated.signature()]
  switch (key.switch().name) {
    case 'signerKeyTypeEd25519': {
      const raw = key.ed25519()
      return hint.equals(raw.subarray(-4)) && isSignedStrictly(addressOf(raw), digest, signature)
    }
    case 'signerKeyTypeHashX': {
      const isHint = hint.equals(key.hashX().subarray(-4))
      return isHint && createHash('sha256').update(signature).digest().equals(key.hashX())
    }
    case 'signerKeyTypeEd25519SignedPayload': {
      const signed = key.ed25519SignedPayload()
      const [raw, payload] = [signed.ed25519(), signed.payload()]
      const tail = Buffer.concat([payload.subarray(-4), Buffer.alloc(4)]).subarray(0, 4)
      const isHint = raw.subarray(-4).every((byte, index) => (byte ^ (tail[index] ?? 0)) === hint[index])
      return isHint && isSignedStrictly(addressOf(raw), payload, signature)
    }
    default:
      return false
  }
}

function addressOf(publicKey: Buffer): string {
  return Address.account(publicKey).toString()
}
