import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkOrderId } from '../../core/orderId.ts'

/** Bytes of an order key: the first bytes of a nonce. */
export const orderKeyLength = 12

/** Computes an order key with the caller's Keccak: pages use viem's, and a merchant's server needs no viem. */
export function orderKeyWith(
  keccak256: (bytes: Uint8Array) => Uint8Array,
  options: orderKeyWith.Options,
): Hex {
  checkOptions(options, { merchantId: 'any', purchaseId: 'any' })
  const merchantId = checkOrderId(options.merchantId, 'merchantId')
  const purchaseId = checkOrderId(options.purchaseId, 'purchaseId')
  const hash = (text: string) => keccak256(new TextEncoder().encode(text))
  orderTypehash ??= hash('RedeemOrder(string merchantId,string purchaseId)')
  const words = new Uint8Array(96)
  for (const [at, word] of [orderTypehash, hash(merchantId), hash(purchaseId)].entries())
    words.set(word, 32 * at)
  return toOrderKey(keccak256(words))
}

/** The same for every order, so it is hashed once. */
let orderTypehash: Uint8Array | undefined

export declare namespace orderKeyWith {
  type Options = {
    merchantId: string
    /** The merchant's order id. Each id belongs to one price and one cart, and is never reused. */
    purchaseId: string
  }
  type ErrorType = checkOptions.ErrorType | checkOrderId.ErrorType
}

/** Returns the order key of a purchase without an id, made of at least 12 random bytes. */
export function toOrderKey(bytes: Uint8Array): Hex {
  const digits = Array.from(bytes.subarray(0, orderKeyLength), (byte, at) =>
    (at === 0 ? byte | 0x80 : byte).toString(16).padStart(2, '0'),
  )
  return `0x${digits.join('')}`
}
