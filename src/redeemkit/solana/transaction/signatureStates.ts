import { isSignedBy } from './isSignedBy.ts'
import type { ParsedTransaction } from './parseTransaction.ts'

/** For each signer in turn: whether its signature is `missing` (zeros), `right`, or `wrong`. */
export function signatureStates(parsed: ParsedTransaction): ('missing' | 'right' | 'wrong')[] {
  return parsed.signatures.map((signature, index) => {
    if (signature.every((byte) => byte === 0)) return 'missing'
    return isSignedBy(parsed.keys[index] ?? '', parsed.message, signature) ? 'right' : 'wrong'
  })
}
