import type { Hex } from 'viem'
import { bytesToHex } from '../bytes/bytesToHex.ts'
import { keccak256 } from '../keccak/keccak256.ts'

/**
 * The digest that is signed: `keccak256(0x1901 ‖ domainSeparator ‖ keccak256(struct))`.
 *
 * @param struct the ABI-encoded struct, typehash first
 */
export function hashDigest(domainSeparator: Uint8Array, struct: Uint8Array): Hex {
  const bytes = new Uint8Array(66)
  bytes[0] = 0x19
  bytes[1] = 0x01
  bytes.set(domainSeparator, 2)
  bytes.set(keccak256(struct), 34)
  return bytesToHex(keccak256(bytes))
}
