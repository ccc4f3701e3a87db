import { keccak_256 } from '@noble/hashes/sha3.js'
import { orderKeyWith } from '../evm/creditPermit/orderKeyWith.ts'

/**
 * Returns the order key by which a server recognizes its order in events. The same as `orderKey` of `redeemkit/evm`, without viem.
 *
 * @returns 12 bytes in lower case
 * @throws InvalidOrderIdError, InvalidOptionError
 * @see PROTOCOL.md 4
 * @example
 * ```ts
 * import { orderKey } from 'redeemkit/merchant'
 * orderKey({ merchantId: 'sandbox-shop', purchaseId: 'order 1' }) // '0xcff8661c04b781a2804ce2e8'
 * ```
 */
export function orderKey(options: orderKey.Options): `0x${string}` {
  return orderKeyWith(keccak_256, options)
}

export declare namespace orderKey {
  type Options = orderKeyWith.Options
  type ErrorType = orderKeyWith.ErrorType
}
