import type { Hex } from 'viem'
import { bytesToHex } from '../../evm/bytes/bytesToHex.ts'
import { textToBytes } from '../../evm/bytes/textToBytes.ts'
import { keccak256 } from '../../evm/keccak/keccak256.ts'

/**
 * A checksum of plain data: the same for the same data, in whatever order a storage gives its fields back.
 */
export function checksumOf(data: object): Hex {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  return bytesToHex(keccak256(textToBytes(JSON.stringify(data, sorted))))
}
