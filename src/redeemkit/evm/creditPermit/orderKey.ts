import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkOrderId } from '../../core/orderId.ts'
import { checkHex, type InvalidHexError } from '../values.ts'

// Not viem: a merchant's server imports this file and no other EVM code.

/** keccak256("RedeemOrder(string merchantId,string purchaseId)") (PROTOCOL.md 4). */
const orderTypehash = '168ca7f9df8bd3fe52f6a797f7a064dbebfad915beff43cb6be2bf46947f9c43'

/** Bytes of an order key: the first bytes of a nonce. */
const orderKeyLength = 12

/**
 * Returns the order key of a merchant's order. It is the first 12 bytes of the nonce of every permit that pays for the order,
 * and depends on neither wallet, chain, contract, price nor cart.
 *
 * The first 12 bytes of `keccak256(abi.encode(orderTypehash, keccak256(merchantId), keccak256(purchaseId)))`, highest bit set
 * (PROTOCOL.md 4). Anyone who can guess an id can recognize its order on chain: draw ids at random.
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
  checkOptions(options, { merchantId: 'any', purchaseId: 'any' })
  const merchantId = hashText(checkOrderId(options.merchantId, 'merchantId'))
  const purchaseId = hashText(checkOrderId(options.purchaseId, 'purchaseId'))
  return toOrderKey(keccak_256(concatBytes(hexToBytes(orderTypehash), merchantId, purchaseId)))
}

export declare namespace orderKey {
  type Options = {
    merchantId: string
    /** The merchant's order id. Each id belongs to one price and one cart, and is never reused. */
    purchaseId: string
  }
  type ErrorType = checkOptions.ErrorType | checkOrderId.ErrorType
}

/** Returns the order key of a purchase without an id, made of at least 12 random bytes. */
export function toOrderKey(bytes: Uint8Array): Hex {
  const key = bytes.slice(0, orderKeyLength)
  key[0] = (key[0] ?? 0) | 0x80
  return `0x${bytesToHex(key)}`
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

const hashText = (text: string) => keccak_256(utf8ToBytes(text))

/**
 * Returns whether a permit's nonce is bound to an intent: its highest bit is set (PROTOCOL.md 4).
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

/** As {@link isIntentBoundNonce}, for a checked nonce or order key. */
export const isMarkedIntentBound = (hex: Hex) => Number.parseInt(hex.charAt(2), 16) >= 8

/** Returns the nonce of an order key of 12 bytes and of terms: the key, then the last 20 bytes of the terms' hash. */
export const nonceOf = (orderKey: Hex, hash: Hex): Hex =>
  `0x${orderKey.slice(2)}${hash.slice(26)}`.toLowerCase() as Hex
