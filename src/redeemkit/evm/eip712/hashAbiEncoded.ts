import type { Hex } from 'viem'
import { encodeAbiParameters, keccak256 } from '../viem.ts'

/**
 * Returns `keccak256(abi.encode(…values))`. The caller has checked the values: viem rounds or pads some wrong ones.
 *
 * @param types Solidity types, separated by spaces: `'bytes32 address uint256'`
 */
export function hashAbiEncoded(types: string, values: readonly unknown[]): Hex {
  return keccak256(
    encodeAbiParameters(
      types.split(' ').map((type) => ({ type })),
      values,
    ),
  )
}
