import type { Hex } from 'viem'
import { checkHex, InvalidHexError } from '../values.ts'
import { keccak256 } from '../viem.ts'
import { orderKeyLength, orderKeyWith } from './orderKeyWith.ts'

export { toOrderKey } from './orderKeyWith.ts'

/**
 * Returns the order key of a merchant's order: the first 12 bytes of the nonce of every permit that pays for the order.
 * It depends only on `merchantId` and `purchaseId`.
 *
 * The key is the first 12 bytes of `keccak256(abi.encode(orderTypehash, keccak256(merchantId), keccak256(purchaseId)))`, with the highest
 * bit set (PROTOCOL.md 4). Choose ids at random: anyone who can guess an id can recognize its order on chain.
 *
 * @returns 12 bytes in lower case
 * @throws InvalidOrderIdError, InvalidOptionError
 * @example
 * ```ts
 * import { orderKey } from 'redeemkit/evm'
 * orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }) // '0xcff8661c04b781a2804ce2e8'
 * ```
 */
export function orderKey(options: orderKey.Options): Hex {
  return orderKeyWith((bytes) => keccak256(bytes, 'bytes'), options)
}

export declare namespace orderKey {
  type Options = orderKeyWith.Options
  type ErrorType = orderKeyWith.ErrorType
}

/**
 * Returns the order key in a permit's nonce: its first 12 bytes, in lower case.
 *
 * @param nonce 32 bytes
 * @throws InvalidHexError
 * @example
 * ```ts
 * import { orderKeyOf } from 'redeemkit/evm'
 * orderKeyOf('0xcff8661c04b781a2804ce2e8d1963b73c9a1319707043caa4d50cc6f1323a38d') // '0xcff8661c04b781a2804ce2e8'
 * ```
 */
export function orderKeyOf(nonce: Hex): Hex {
  return checkNonce(nonce).slice(0, 2 + 2 * orderKeyLength) as Hex // still begins with 0x
}

export declare namespace orderKeyOf {
  type ErrorType = InvalidHexError
}

/**
 * Returns the commitment in an intent-bound nonce: its last 20 bytes, in lower case.
 *
 * @param nonce 32 bytes
 * @throws InvalidHexError
 * @example
 * ```ts
 * import { commitmentOf } from 'redeemkit/evm'
 * commitmentOf('0xcff8661c04b781a2804ce2e8d1963b73c9a1319707043caa4d50cc6f1323a38d') // '0xd1963b73c9a1319707043caa4d50cc6f1323a38d'
 * ```
 */
export function commitmentOf(nonce: Hex): Hex {
  return `0x${checkNonce(nonce).slice(2 + 2 * orderKeyLength)}`
}

export declare namespace commitmentOf {
  type ErrorType = InvalidHexError
}

const checkNonce = (nonce: Hex) => checkHex(nonce, 'nonce', { bytes: 32 }).toLowerCase()

/**
 * Returns whether a permit's nonce commits to a purchase. The nonce's highest bit says so (PROTOCOL.md 4).
 *
 * @param nonce 32 bytes
 * @throws InvalidHexError
 * @example
 * ```ts
 * import { isIntentBoundNonce } from 'redeemkit/evm'
 * isIntentBoundNonce('0x7968399a1307417362f545e43d5a12eb942562dd8c181d41f68fd881f56ba23d') // false
 * ```
 */
export function isIntentBoundNonce(nonce: Hex): boolean {
  return isMarkedIntentBound(checkHex(nonce, 'nonce', { bytes: 32 }))
}

export declare namespace isIntentBoundNonce {
  type ErrorType = InvalidHexError
}

/** Like {@link isIntentBoundNonce}, for a nonce or order key that was already checked. */
const isMarkedIntentBound = (hex: Hex) => Number.parseInt(hex.charAt(2), 16) >= 8

export function checkOrderKey(orderKey: Hex): Hex {
  const key = checkHex(orderKey, 'orderKey', { bytes: 12 })
  if (isMarkedIntentBound(key)) return key
  throw new InvalidHexError(`${key} is not an order key: its highest bit is clear.`, {
    field: 'orderKey',
    fix: 'Pass the result of `orderKey`.',
  })
}

/** Builds a nonce: the 12-byte order key, then the last 20 bytes of the hash of the purchase's terms. */
export const nonceOf = (orderKey: Hex, hash: Hex): Hex =>
  `0x${orderKey.slice(2)}${hash.slice(26)}`.toLowerCase() as Hex
