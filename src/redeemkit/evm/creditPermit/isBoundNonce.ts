import type { Hex } from 'viem'
import { checkHex, type InvalidHexError } from '../values/checkHex.ts'

/**
 * Returns whether a permit's nonce is bound to an intent: its highest bit is set (PROTOCOL.md 4).
 *
 * @param nonce 32 bytes
 * @throws InvalidHexError
 * @example
 * ```ts
 * import { isBoundNonce } from 'redeemkit/evm'
 * isBoundNonce('0x7968399a1307417362f545e43d5a12eb942562dd8c181d41f68fd881f56ba23d') // false
 * ```
 */
export function isBoundNonce(nonce: Hex): boolean {
  return isMarkedAsBound(checkHex(nonce, 'nonce', { bytes: 32 }))
}

export declare namespace isBoundNonce {
  type ErrorType = InvalidHexError
}

/** As {@link isBoundNonce}, for a checked nonce or order key. */
export const isMarkedAsBound = (hex: Hex) => Number.parseInt(hex.charAt(2), 16) >= 8

/** Returns the nonce of an order key of 12 bytes and of terms: the key, then the last 20 bytes of the terms' hash. */
export const nonceOf = (orderKey: Hex, hash: Hex): Hex =>
  `0x${orderKey.slice(2)}${hash.slice(26)}`.toLowerCase() as Hex
