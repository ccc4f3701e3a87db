import type { Address, Hex } from 'viem'
import { concatHex, getAddress, keccak256, slice } from '../../evm/viem.ts'

/** Order of P-256 (FIPS 186-5). */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * The account of a P-256 public key on Tempo: the last 20 bytes of `keccak256(x ‖ y)`.
 *
 * @param key 32 bytes each
 * @see Tempo Transactions, "Address derivation"
 */
export function p256Address(key: { x: Hex; y: Hex }): Address {
  return getAddress(slice(keccak256(concatHex([key.x, key.y])), 12))
}
