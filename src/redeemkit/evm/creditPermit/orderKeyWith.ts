import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkOrderId } from '../../core/orderId.ts'

/** Bytes of an order key: the first bytes of a nonce. */
export const orderKeyLength = 12

/** Computes the order key with a Keccak of the caller: a page has viem's, and a merchant's server needs no viem. */
export function orderKeyWith(
  keccak256: (bytes: Uint8Array) => Uint8Array,
  options: orderKeyWith.Options,
): Hex {
  checkOptions(options, { merchantId: 'any', purchaseId: 'any' })
  const texts = [
    'RedeemOrder(string merchantId,string purchaseId)',
    checkOrderId(options.merchantId, 'merchantId'),
    checkOrderId(options.purchaseId, 'purchaseId'),
  ]
  const words = texts.map((text) => keccak256(new TextEncoder().encode(text)))
  return toOrderKey(keccak256(Uint8Array.from(words.flatMap((word) => [...word]))))
}

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
  const [first = 0, ...rest] = bytes.slice(0, orderKeyLength)
  return `0x${[first | 0x80, ...rest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
