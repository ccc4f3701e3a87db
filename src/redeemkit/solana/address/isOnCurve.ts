import { ed25519 } from '@noble/curves/ed25519.js'

/** Whether 32 bytes are an ed25519 public key. What a program owns (a program-derived address) never is. */
export function isOnCurve(publicKey: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(publicKey)
    return true
  } catch {
    return false
  }
}
