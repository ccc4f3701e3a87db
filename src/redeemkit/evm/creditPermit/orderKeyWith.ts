import type { Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { checkOrderId } from '../../core/orderId.ts'

/** Length of an order key in bytes. */
export const orderKeyLength = 12

/** Computes an order key with a given keccak256 function, so that a merchant's server does not need viem. */
export function orderKeyWith(
  keccak256: (bytes: Uint8Array) => Uint8Array,
  options: orderKeyWith.Options,
): Hex {
  checkOptions(options, { merchantId: 'any', purchaseId: 'any' })
  const merchantId = checkOrderId(options.merchantId, 'merchantId')
  const purchaseId = checkOrderId(options.purchaseId, 'purchaseId')
  const encoder = new TextEncoder()
  const hash = (text: string) => keccak256(encoder.encode(text))
  orderTypehash ??= hash('RedeemOrder(string merchantId,string purchaseId)')
  const words = new Uint8Array(96)
  for (const [at, word] of [orderTypehash, hash(merchantId), hash(purchaseId)].entries())
    words.set(word, 32 * at)
  return toOrderKey(keccak256(words))
}

let orderTypehash: Uint8Array | undefined

export declare namespace orderKeyWith {
  type Options = {
    merchantId: string
    /** The merchant's order id. Each id belongs to one price and one cart, and is never reused. */
    purchaseId: string
  }
  type ErrorType = checkOptions.ErrorType | checkOrderId.ErrorType
}

/** Makes an order key from at least 12 random bytes, for a purchase without an id. */
export function toOrderKey(bytes: Uint8Array): Hex {
  let digits = ''
  for (const byte of bytes.subarray(0, orderKeyLength))
    digits += (digits === '' ? byte | 0x80 : byte).toString(16).padStart(2, '0')
  return `0x${digits}`
}
