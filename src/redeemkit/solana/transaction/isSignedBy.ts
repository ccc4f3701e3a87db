import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { parseBase58, readLittleEndian } from '../encoding.ts'
import type { ParsedTransaction } from './parseTransaction.ts'

const { Point } = ed25519

/** Whether `signature` is the ed25519 signature of `message` by `address`, under the strict rules of a Solana node. */
export function isSignedBy(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const publicKey = parseBase58(address, { field: 'address', length: 32 })
    if (!ed25519.verify(signature, message, publicKey, { zip215: false })) return false
    // The check above multiplies RFC 8032's equation by 8, which ignores points of small order. A node
    // (`verify_strict`) rejects them.
    const [r, s] = [signature.slice(0, 32), signature.slice(32)]
    const R = Point.fromBytes(r)
    const k = readLittleEndian(sha512(Uint8Array.from([...r, ...publicKey, ...message]))) % Point.Fn.ORDER
    const right = R.add(Point.fromBytes(publicKey).multiplyUnsafe(k))
    return !R.isSmallOrder() && Point.BASE.multiplyUnsafe(readLittleEndian(s)).equals(right)
  } catch {
    return false
  }
}

export function signatureStates(parsed: ParsedTransaction): ('missing' | 'right' | 'wrong')[] {
  return parsed.signatures.map((signature, index) => {
    if (signature.every((byte) => byte === 0)) return 'missing'
    return isSignedBy(parsed.keys[index] ?? '', parsed.message, signature) ? 'right' : 'wrong'
  })
}
