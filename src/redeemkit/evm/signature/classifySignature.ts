import type { Hex } from 'viem'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'

/** The 32 bytes at the end of a signature of an account that is not deployed yet (ERC-6492). */
const erc6492Suffix = '6492649264926492649264926492649264926492649264926492649264926492'

/**
 * What the bytes of a signature can be, told by their length and ending only.
 *
 * - `packed`: 65 bytes, r ‖ s ‖ v, of a key
 * - `compact`: 64 bytes, r ‖ yParity and s, of a key (ERC-2098)
 * - `erc6492`: wrapped for an account that is not deployed yet
 * - `empty`: no bytes; some contract accounts approve beforehand
 * - `other`: for a contract account to judge
 */
export type SignatureKind = 'packed' | 'compact' | 'erc6492' | 'empty' | 'other'

/**
 * Tells what the bytes of a signature can be. It does not say that the signature is right.
 *
 * @throws InvalidHexError when it is not bytes
 * @example
 * ```ts
 * import { classifySignature } from 'redeemkit/evm'
 * classifySignature(`0x${'11'.repeat(65)}`) // 'packed'
 * ```
 */
export function classifySignature(signature: Hex): SignatureKind {
  checkHex(signature, 'signature')
  if (signature.length === 2) return 'empty'
  if (signature.length >= 66 && signature.slice(-64) === erc6492Suffix) return 'erc6492'
  if (signature.length === 132) return 'packed'
  if (signature.length === 130) return 'compact'
  return 'other'
}

export declare namespace classifySignature {
  type ErrorType = InvalidHexError
}
